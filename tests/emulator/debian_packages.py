# SPDX-License-Identifier: GPL-2.0-only
"""Download Debian packages and unpack them under build/src/.

apt has its own configuration under build/apt.  So no root rights are needed, and
nothing on the system changes.  A package that has been unpacked is used again
without the network.  Remove build/src to get newer versions.

A package can be from a suite that the system does not use: PACKAGE/SUITE, as for apt-get. Each such
suite has its own configuration, build/apt-SUITE, so that no other package becomes newer.
"""

import fcntl
import functools
import glob
import os
import re
import shutil
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, "build")
SRC = os.path.join(BUILD, "src")

# apt-get prints this for a file that a server does not have.
NOT_FOUND = "  404  Not Found"

LISTS_MAX_AGE = 3600  # in seconds; one complete build then downloads the lists once

# An archive's address ends like this. The addresses of all Debian mirrors do, but images for the
# cloud name a file with a list of mirrors instead.
DEBIAN_URI = re.compile(r"(/debian(-security)?|^mirror\+file:.*debian[^/]*)/*$")


class Error(Exception):
    """A failure that the user can remedy. The text is one sentence."""


class Missing(Error):
    """The archive does not have a file that its lists name."""


def deb822_entries(text):
    """Return the enabled entries of a .sources file, as dictionaries."""
    for stanza in re.split(r"\n\s*\n", text):
        fields, name = {}, None
        for line in stanza.splitlines():
            if line.startswith("#"):
                continue
            if line[:1].isspace() and name:
                fields[name] += "\n" + line
            elif ":" in line:
                name, value = line.split(":", 1)
                name = name.lower()
                fields[name] = value.strip()
        if "uris" in fields and fields.get("enabled", "yes").lower() != "no":
            yield fields


def one_line_entries(text):
    """Return the entries of a .list file, in the form of deb822_entries()."""
    pattern = re.compile(r"^(deb(?:-src)?)\s+(?:\[([^]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#\n]+)", re.M)
    for kind, options, uri, suite, components in pattern.findall(text):
        fields = {"types": kind, "uris": uri, "suites": suite, "components": components}
        for option in options.split():
            name, _, value = option.partition("=")
            fields[name.lower()] = value.replace(",", " ")
        yield fields


def system_entries():
    """Return all entries of the system's apt sources."""
    for path in ["/etc/apt/sources.list", *sorted(glob.glob("/etc/apt/sources.list.d/*"))]:
        reader = {".list": one_line_entries, ".sources": deb822_entries}.get(
            os.path.splitext(path)[1])
        if reader and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                yield from reader(file.read())


def suites_of(fields, suite):
    """Return the suites of an entry after its suites are replaced by suite."""
    own = fields["suites"].split()
    if not suite:
        return own
    # An archive has parts of a suite such as bookworm-updates, and another archive has its
    # security updates.
    return [suite] if any("-" not in name for name in own) else []


def debian_sources(suite):
    """Return the text of a .sources file: Debian's entries, with their source packages.

    If suite is not empty, it replaces the suite of the system."""
    stanzas = {}
    for fields in system_entries():
        if "main" not in fields.get("components", "").split():
            continue
        for uri in fields["uris"].split():
            if not DEBIAN_URI.search(uri):
                continue
            for name in suites_of(fields, suite):
                stanza = f"Types: deb deb-src\nURIs: {uri}\nSuites: {name}\nComponents: main\n"
                for option in ("Signed-By", "Trusted"):
                    if option.lower() in fields:
                        stanza += f"{option}: {fields[option.lower()]}\n"
                stanzas.setdefault((uri, name), stanza)
    if not stanzas:
        raise Error("found no entry for Debian's archive in /etc/apt/sources.list "
                    "or /etc/apt/sources.list.d")
    return "\n".join(stanzas.values())


def apt_directory(suite):
    """Return the directory of apt's configuration for a suite, or for the system's suites."""
    return os.path.join(BUILD, f"apt-{suite}" if suite else "apt")


def write_configuration(suite):
    """Set up the directory for a suite, and return the environment with which apt uses it."""
    apt = apt_directory(suite)
    for part in ("etc/sources.list.d", "lists/partial", "cache/archives/partial"):
        os.makedirs(os.path.join(apt, part), exist_ok=True)
    with open(os.path.join(apt, "etc/sources.list.d/debian.sources"), "w",
              encoding="utf-8") as file:
        file.write(debian_sources(suite))
    # Keep the system's settings of proxies and transport. Drop the hooks, because they might
    # change the system's own cache.
    dump = subprocess.run(["apt-config", "dump"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    kept = [line for line in dump.splitlines() if line.startswith("Acquire::")]
    config = os.path.join(apt, "apt.conf")
    with open(config, "w", encoding="utf-8") as file:
        file.write("\n".join([
            *kept,
            'Dir::Etc::Main "/dev/null";',
            'Dir::Etc::Parts "/dev/null";',
            'Dir::Etc::SourceList "/dev/null";',
            f'Dir::Etc::SourceParts "{apt}/etc/sources.list.d";',
            f'Dir::State::Lists "{apt}/lists";',
            f'Dir::Cache "{apt}/cache";',
            'APT::Sandbox::User "";',
            'Acquire::Languages "none";',
            ""]))
    return {**os.environ, "APT_CONFIG": config, "LC_ALL": "C"}


def run(what, command, **options):
    """Run a command, with its messages on stderr. Raise Error if it fails."""
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False, **options)
    if result.returncode:
        sys.stderr.write(result.stdout)
        error = Missing if NOT_FOUND in result.stdout else Error
        raise error(f"{what} failed (status {result.returncode})")


def refresh_lists(suite, env):
    """Download apt's package lists unless they are new."""
    stamp = os.path.join(apt_directory(suite), "lists.stamp")
    if os.path.exists(stamp) and time.time() - os.path.getmtime(stamp) < LISTS_MAX_AGE:
        return
    print("fetch: package lists", file=sys.stderr)
    run("apt-get update", ["apt-get", "-q", "update", "--error-on=any"], env=env)
    with open(stamp, "w", encoding="utf-8"):
        pass


def unpack_source(parts, target):
    """Unpack the source package whose parts are in a directory."""
    dsc, = glob.glob(os.path.join(parts, "*.dsc"))
    run(f"unpacking {dsc}", ["dpkg-source", "--no-check", "-q", "-x", dsc, target])
    return os.path.basename(dsc)[:-len(".dsc")]


def unpack_binary(parts, target):
    """Unpack the binary package that is in a directory."""
    deb, = glob.glob(os.path.join(parts, "*.deb"))
    run(f"unpacking {deb}", ["dpkg-deb", "-x", deb, target])
    return os.path.basename(deb)[:-len(".deb")]


# Each kind of package has the words with which apt-get downloads it, the word in the list of its
# versions, and the function that unpacks it. apt-get checks signatures and hashes, so unpacking
# trusts the files.
KINDS = {
    "source": (["source", "--download-only"], "Sources", unpack_source),
    "binary": (["download"], "Packages", unpack_binary),
}


def compare_versions(first, second):
    """Return 1 if the first version is newer than the second, else -1."""
    result = subprocess.run(["dpkg", "--compare-versions", first, "gt", second], check=False)
    return 1 if result.returncode == 0 else -1


def versions(listed, name, env):
    """Return the versions of a package that apt's lists have, from the newest to the oldest."""
    rows = subprocess.run(["apt-cache", "madison", name], env=env, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.splitlines()
    # A row is: package | version | address suite/component ... Sources or Packages
    found = {row.split("|")[1].strip() for row in rows
             if row.split("|")[0].strip() == name and row.endswith(listed)}
    return sorted(found, key=functools.cmp_to_key(compare_versions), reverse=True)


def download(kind, package, directory, env):
    """Download a package into a new directory: the newest version that the archive can give.

    A mirror lists a new version some hours before it has the files, or never gets them. No other
    failure is remedied by an older version."""
    words, listed, _ = KINDS[kind]
    what = f"downloading the {kind} package {package}"
    name = package.partition("/")[0]
    older = versions(listed, name, env)[1:]
    wanted = [package, *(f"{name}={version}" for version in older)]
    for place, version in enumerate(wanted):
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        try:
            run(what, ["apt-get", "-q", *words, version], cwd=directory, env=env)
            return
        except Missing:
            if place + 1 == len(wanted):
                raise
            print(f"fetch: trying the older version {wanted[place + 1]}", file=sys.stderr)


def fetch(kind, package):
    """Fetch a package if it is not there. Return the directory in which it is unpacked."""
    name, _, suite = package.partition("/")
    os.makedirs(SRC, exist_ok=True)
    record = os.path.join(SRC, ".".join(filter(None, (name, suite, kind))))
    with open(os.path.join(BUILD, "apt.lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(record):
            with open(record, encoding="utf-8") as file:
                path = os.path.join(SRC, file.read().strip())
            if os.path.isdir(path):
                return path
        env = write_configuration(suite)
        refresh_lists(suite, env)
        print(f"fetch: {kind} package {package}", file=sys.stderr)
        scratch = os.path.join(SRC, "unpacking")
        shutil.rmtree(scratch, ignore_errors=True)
        parts = os.path.join(scratch, "download")
        download(kind, package, parts, env)
        unpack = KINDS[kind][-1]
        unpacked = unpack(parts, os.path.join(scratch, "tree"))
        path = os.path.join(SRC, unpacked)
        shutil.rmtree(path, ignore_errors=True)
        os.rename(os.path.join(scratch, "tree"), path)
        shutil.rmtree(scratch)
        with open(record + ".new", "w", encoding="utf-8") as file:
            file.write(unpacked + "\n")
        os.rename(record + ".new", record)
        return path


def main(kind):
    """Fetch the package that the command line names."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} PACKAGE[/SUITE]")
    try:
        print(fetch(kind, sys.argv[1]))
    except Error as error:
        sys.exit(f"fetch-{kind}: {error}")
