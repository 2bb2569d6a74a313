// SPDX-License-Identifier: GPL-2.0-only
//
// read_speedscope.mjs PACKAGE FILE: print the functions that speedscope finds in a profile, each
// with its own weight and that of what it calls.
//
// speedscope is an application for browsers, in one script without exports. It runs here without
// a browser: whatever it asks of one is an object that does nothing. It ends with an error when it
// draws its first page; by then its function that reads files is there.

import fs from "fs";
import vm from "vm";

const [directory, file] = process.argv.slice(2);
const release = `${directory}/dist/release/`;
const script = fs.readdirSync(release).find((name) => /^speedscope-.*\.js$/.test(name));
const source = fs.readFileSync(release + script, "utf8");

const [, reader] = /loadFileFromBase64:\(\w+,\w+\)=>\{this\.loadProfile\(\(\)=>(\w+)\(/.exec(source);
const exported = source.replace("console.log(`speedscope v", `globalThis.readProfile=${reader};$&`);

const nothing = new Proxy(function () {}, {
    get: (target, key) => (key === Symbol.toPrimitive ? () => "" : nothing),
    apply: () => nothing,
    construct: () => nothing,
    set: () => true,
    has: () => true,
});
const browser = {
    console: { log() {}, error: console.error },
    location: { hash: "", href: "file:///", protocol: "file:" },
    navigator: { userAgent: "", platform: "" },
    atob, TextDecoder, TextEncoder, URL, performance,
};
for (const name of ["window", "document", "localStorage", "FileReader", "HTMLElement", "self"])
    browser[name] = nothing;

vm.createContext(browser);
try {
    vm.runInContext(exported, browser);
} catch (error) {
    if (!browser.readProfile)
        throw error;
}

const group = await browser.readProfile(file, fs.readFileSync(file).toString("base64"));
for (const profile of group.profiles) {
    console.log(profile.getName(), +profile.getTotalWeight().toPrecision(6));
    profile.forEachFrame((frame) => {
        const weights = [frame.getSelfWeight(), frame.getTotalWeight()];
        console.log(frame.name, ...weights.map((weight) => +weight.toPrecision(6)));
    });
}
