#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""test_brink: test the files that brink reads and writes.

Runs fake_brink, which takes the results of jobs from the test. Values of registers are from Intel
64 and IA-32 Architectures Software Developer's Manual, volume 3B, or worked out by hand from its
layouts. Reports in TAP.
"""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import tap
from tap import expect

HERE = os.path.dirname(os.path.abspath(__file__))
BRINK = os.path.join(HERE, "fake_brink")
CONFIG = os.environ["BRINK_CONFIG"]
USAGE, OUTPUT, INPUT, LIMIT = 200, 210, 216, 218

# This example is from the time of the original tool. It has three programs and two experiments, so
# six jobs.
EXAMPLE = """<?xml version="1.0"?>
<!-- Two experiments of three programs. -->
<exp_config>
  <processor type="pentium4"/>
  <programs>
    <list command="./bin/ls"/>
    <program_parallel command="./wavelet two threads"/>
    <program_SSE2 command="./simd"/>
  </programs>
  <experiments>
    <default> <set> <usr/> </set> </default>
    <exp1>
      <uops_user base="uops_retired"> <set> <nbogus/> </set> </uops_user>
      <x87_user base="x87_FP_retired"> <set> <nbogus/> </set> </x87_user>
    </exp1>
    <exp2>
      <loads_ebs base="loads_retired">
        <ebs type="precise" interval="500000" buffer="500" sample="E" max="20000"/>
      </loads_ebs>
      <loads base="front_end_event"> <set> <nbogus/> </set> </loads>
    </exp2>
  </experiments>
</exp_config>
"""


def experiment(events, defaults="<default><set><usr/></set></default>"):
    """Return a file with one program and one experiment."""
    return (f'<exp_config>\n<programs><p command="true"/></programs>\n<experiments>\n{defaults}\n'
            f"<e>\n{events}\n</e>\n</experiments>\n</exp_config>\n")


class Run:
    """One run of brink in a directory that is removed afterwards."""

    def __init__(self, exp, results="", config=None, arguments=(), before=None, stdin=None):
        self.files = {}
        with tempfile.TemporaryDirectory() as directory:
            for name, content in (("in.txt", exp), ("results", results), ("config", config)):
                if content is not None:
                    mode = "wb" if isinstance(content, bytes) else "w"
                    with open(os.path.join(directory, name), mode) as file:
                        file.write(content)
            for name, content in (before or {}).items():
                os.makedirs(os.path.join(directory, "out"), exist_ok=True)
                with open(os.path.join(directory, "out", name), "w", encoding="utf-8") as file:
                    file.write(content)
            command = [BRINK, "-exp", "in.txt", "-config", "config" if config else CONFIG,
                       "-outdir", "out", *arguments]
            run = subprocess.run(command, cwd=directory, capture_output=True, check=False,
                                 input=stdin.encode() if stdin else None,
                                 env={**os.environ, "FAKE_RESULTS": "results"}, timeout=300)
            self.status, self.err = run.returncode, run.stderr.decode()
            out = os.path.join(directory, "out")
            self.wrote = os.path.exists(out)
            for folder, _, names in os.walk(out):
                for name in names:
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        self.files[os.path.relpath(path, out)] = file.read()


def succeed(exp, results="reading 10 1\nreading 20 2\nend 0\n", **more):
    """Return a run that must succeed."""
    run = Run(exp, results, **more)
    expect(run.status == 0 and not run.err, f"{run.status} {run.err}")
    return run


def registers(events, **more):
    """Return the lines of a job's input after its command."""
    run = succeed(experiment(events), **more)
    return run.files["job.p.e/job.p.e.abyss_input.txt"].splitlines()[1:]


def refused(exp, sentence, place=None, **more):
    """Test that brink refuses a file at a place with a sentence, and writes nothing."""
    run = Run(exp, **more)
    where = r"\d+:\d+" if place is None else re.escape(place)
    name = "config" if "config" in more else r"in\.txt"
    expect(run.status == INPUT
           and re.fullmatch(f"brink: {name}:{where}: .*{sentence}.*\n", run.err)
           and not run.wrote, f"{run.status} {run.err} {run.files}")


def each_job_has_its_folder_with_every_file():
    results = "reading 5 0 0\nreading 1000 70 7\nend 0\n" * 6
    run = succeed(EXAMPLE, results)
    expected = {"emon_config.txt", "exp_config.txt", "events_counts.in.txt", "summary.in.txt"}
    for program in ("list", "program_parallel", "program_SSE2"):
        for name in ("exp1", "exp2"):
            job = f"job.{program}.{name}"
            kinds = ["abyss_input", "raw", "delta", "time"] + ["ebs_samples"] * (name == "exp2")
            expected |= {f"{job}/{job}.{kind}.txt" for kind in kinds} | {f"{job}/summary.in.txt"}
    expect(set(run.files) == expected, set(run.files) ^ expected)
    expect(run.files["exp_config.txt"] == EXAMPLE, "the copy differs")
    with open(CONFIG, encoding="utf-8") as file:
        expect(run.files["emon_config.txt"] == file.read(), "the copy differs")
    lines = run.files["events_counts.in.txt"].splitlines()
    expect(len(lines) == 13 and lines[1] == "list exp1 uops_user 70"
           and lines[12] == "program_SSE2 exp2 loads 7", lines)


def readings_are_written_raw_and_as_differences():
    run = succeed(experiment('<a base="instr_retired"><set><nbogusntag/></set></a>'
                             '<b base="branch_retired"><set><mmtp/><mmtm/></set></b>'),
                  "reading 100 0 3\nreading 350 40 3\nreading 351 41 10\nend 256\n")
    job = "job.p.e/job.p.e."
    expect(run.files[job + "raw.txt"] == "# tsc a b\n100 0 3\n350 40 3\n351 41 10\n", run.files)
    expect(run.files[job + "delta.txt"]
           == "# tsc tsc_delta a b\n350 250 40 0\n351 1 1 7\n", run.files)
    expect(re.fullmatch(r"0\.00user 0\.00system 1\.50elapsed 0maxresident_kb 0major\+0minor_faults\n",
                        run.files[job + "time.txt"]), run.files[job + "time.txt"])


def the_summary_is_xml_with_date_status_and_registers():
    run = succeed(experiment('<a base="instr_retired"><set><nbogusntag/></set></a>').replace(
        'command="true"', 'command="echo &lt;&amp;&quot;"'), "reading 9 0\nreading 30 25\nend 9\n")
    for name in ("summary.in.txt", "job.p.e/summary.in.txt"):
        job = ElementTree.fromstring(run.files[name]).find("job")
        expect(job.attrib == {"program": "p", "experiment": "e", "date": "1970-01-02T00:00:00Z",
                              "seconds": "1.500000", "signal": "9", "tsc": "30",
                              "command": 'echo <&"'}, job.attrib)
        expect(job.find("a").attrib == {"type": "normal", "count": "25"}, job.find("a").attrib)
        expect(job.find("a/count_setup").attrib == {
            "event": "instr_retired", "escr": "cru_escr0", "escr_value": "0x04000204",
            "counter": "12", "cccr_value": "0x00039000"}, job.find("a/count_setup").attrib)


def samples_have_addresses_or_all_registers():
    ebs = '<ebs type="imprecise" interval="1000" buffer="9" sample="{}" max="9"/>'
    run = succeed(experiment(
        f'<a base="instr_retired"><set><nbogusntag/></set>{ebs.format("E")}</a>'
        f'<b base="branch_retired"><set><mmtp/></set>{ebs.format("A")}</b>'),
                  "reading 1 0 0\nreading 2 3 4\nsample 0 77 5 6 0x8048000\n"
                  "sample 1 78 5 6 0x8048001\nregisters 0x10\nlost 3\nend 0\n")
    lines = run.files["job.p.e/job.p.e.ebs_samples.txt"].splitlines()
    expect(lines[1:] == ["a 77 5 6 0x8048000",
                         "b 78 5 6 0x8048001 " + " ".join(hex(16 + i) for i in range(18)),
                         "# lost 3"], lines)


def more_samples_than_max_are_an_error_after_the_files():
    run = Run(experiment('<a base="instr_retired"><set><nbogusntag/></set><ebs type="imprecise"'
                         ' interval="1000" buffer="9" sample="E" max="1"/></a>'),
              "reading 1 0\nreading 2 3\nsample 0 77 5 6 0x8048000\nover\nend 0\n")
    expect(run.status == LIMIT and "raise max or interval" in run.err, f"{run.status} {run.err}")
    expect("a 77 5 6 0x8048000" in run.files["job.p.e/job.p.e.ebs_samples.txt"], run.files)


def an_event_is_its_escr_and_cccr():
    # These values are from the chapter's worked example: branch_retired 06H in CRU_ESCR2,
    # mispredicted branches, compare, complement and threshold 2.
    lines = registers('<b base="branch_retired"><set><mmnm/><mmtm/></set></b>')
    expect(lines == ["count b counter 12 cru_escr2 0x3cc 0x0c001404 cccr 0x36c 0x0003b000"], lines)
    lines = registers('<b base="branch_retired"><set><mmtp/><mmtm/><compare/><complement/><os/></set>'
                      '<clr><usr/></clr><threshold val="0010"/></b>')
    expect(lines == ["count b counter 12 cru_escr2 0x3cc 0x0c001808 cccr 0x36c 0x002fb000"], lines)


def a_field_may_be_set_by_val_in_any_form():
    for text in ('<threshold val="0110"/>', '<val><threshold val="0110"/></val>',
                 '<set><threshold val="0110"/></set>'):
        lines = registers(f'<u base="uops_retired"><set><nbogus/></set>{text}</u>')
        expect(lines == ["count u counter 12 cru_escr0 0x3b8 0x02000204 cccr 0x36c 0x00639000"],
               lines)


def front_end_tags_come_from_uop_type():
    lines = registers('<l base="loads_retired"/>')
    expect(lines == ["count l counter 12 cru_escr2 0x3cc 0x10000204 cccr 0x36c 0x0003b000",
                     "tag l counter 13 rat_escr0 0x3bc 0x04000404 cccr 0x36d 0x00035000"], lines)


def execution_tags_have_a_value_that_the_counting_event_names():
    lines = registers('<x base="x87_FP_retired"/>')
    expect(lines == ["count x counter 12 cru_escr2 0x3cc 0x18000204 cccr 0x36c 0x0003b000",
                     "tag x counter 8 firm_escr0 0x3a4 0x09000034 cccr 0x368 0x00033000"], lines)
    # Another tag lets two such events be counted at the same time.
    lines = registers('<x base="x87_FP_retired"/><y base="packed_DP_retired">'
                      "<set><tag1/><nonbogus1/></set><clr><tag0/><nonbogus0/></clr></y>")
    expect(lines == ["count x counter 12 cru_escr2 0x3cc 0x18000204 cccr 0x36c 0x0003b000",
                     "tag x counter 8 firm_escr0 0x3a4 0x09000034 cccr 0x368 0x00033000",
                     "count y counter 14 cru_escr3 0x3cd 0x18000404 cccr 0x36e 0x0003b000",
                     "tag y counter 10 firm_escr1 0x3a5 0x19000054 cccr 0x36a 0x00033000"], lines)


def replay_tags_need_two_registers_and_sometimes_another_event():
    lines = registers('<m base="ld_miss_1L_retired"/>')
    expect(lines == ["count m counter 12 cru_escr2 0x3cc 0x12000204 cccr 0x36c 0x0003b000",
                     "replay m pebs_enable 0x01000001 pebs_matrix_vert 0x00000001"], lines)
    lines = registers('<m base="split_st_retired"/>')
    expect(lines == ["count m counter 12 cru_escr2 0x3cc 0x12000204 cccr 0x36c 0x0003b000",
                     "tag m counter 8 saat_escr0 0x3ae 0x0a000404 cccr 0x368 0x00035000",
                     "replay m pebs_enable 0x01000400 pebs_matrix_vert 0x00000002"], lines)


def replays_are_counted_with_the_tags_of_another_event():
    lines = registers('<r base="replay_event"><set><bogus/></set></r><m base="ld_miss_2l_retired"/>')
    expect([line for line in lines if line.startswith("replay")]
           == [f"replay {name} pebs_enable 0x01000002 pebs_matrix_vert 0x00000001" for name in "rm"],
           lines)
    refused(experiment('<r base="replay_event"/>'), "<r> counts replays with a tag, and no event")


def an_event_that_uses_the_tags_of_another_shares_them():
    lines = registers('<a base="loads_retired"/><b base="loads_retired"><set><bogus/></set></b>')
    expect([line.split()[:5] for line in lines]
           == [["count", "a", "counter", "12", "cru_escr2"], ["tag", "a", "counter", "13", "rat_escr0"],
               ["count", "b", "counter", "14", "cru_escr3"]], lines)


def precise_samples_are_on_the_counter_of_pebs():
    lines = registers('<a base="loads_retired"><ebs type="precise" interval="1000" buffer="1"'
                      ' sample="E" max="9"/></a>')
    expect(lines[0].startswith("count a counter 16 cru_escr2 "), lines)
    refused(experiment('<a base="loads_retired"><set><os/></set>\n<ebs type="precise" interval="1000"'
                       ' buffer="1" sample="E" max="9"/></a>'),
            'PEBS samples <a> in user mode alone: clear <os/>, or write type="imprecise"', "7:1")


def eighteen_events_fill_eighteen_counters():
    names = ["fsb_data_activity", "bpu_fetch_request", "itlb_reference", "page_walk_type",
             "tc_deliver_mode", "tc_ms_xfer", "uop_queue_writes", "retired_branch_type",
             "memory_complete", "load_port_replay", "packed_sp_uop", "x87_fp_uop",
             "instr_retired", "uops_retired", "branch_retired", "machine_clear",
             "resource_stall", "uop_type"]
    lines = registers("".join(f'<e{i} base="{name}"/>' for i, name in enumerate(names)))
    expect(sorted(int(line.split()[3]) for line in lines) == list(range(18)), lines)
    expect(len({line.split()[4] for line in lines}) == 18, lines)


def each_event_of_the_configuration_can_be_counted():
    root = ElementTree.parse(CONFIG).getroot()
    names = [event.tag for event in [*root.find("normal_events"), *root.find("tag_events")]]
    expect(len(names) == 46 + 18, len(names))
    # One file can count all events, with an experiment for each. The replay event needs a tag.
    tag = {"replay_event": '<t base="ld_miss_1l_retired"/>'}
    exp = "".join(f'<e_{name}><a base="{name}"/>{tag.get(name, "")}</e_{name}>' for name in names)
    exp = experiment("<a base=\"bnr\"/>").replace("<e>", exp + "<e>")
    run = succeed(exp, "reading 1 0\nreading 2 5\nend 0\n" * (len(names) + 1))
    expect(run.files["events_counts.in.txt"].count(" a 5\n") == len(names) + 1, run.files)


def equal_events_share_an_escr():
    lines = registers('<a base="branch_retired"><set><mmtp/></set></a>'
                      '<b base="branch_retired"><set><mmtp/><edge/><compare/></set></b>'
                      '<c base="machine_clear"><set><clear/></set></c>')
    escrs = [line.split()[4] for line in lines]
    expect(escrs[0] == escrs[1] != escrs[2], lines)


def conflicts_name_both_events_and_the_register():
    one = '<a base="{}"/><b base="{}"/>'
    refused(experiment('<a base="bsq_allocation"/>\n<b base="bsq_allocation"><set><mem_type0/></set></b>'),
            "<a> and <b> need the same register, bsu_escr0: count them in different experiments",
            "7:1")
    refused(experiment('<a base="branch_retired"/>\n<b base="machine_clear"/>\n<c base="x87_assist"/>'),
            "<b> and <c> need the same register, cru_escr2", "8:1")
    refused(experiment(one.format("loads_retired", "stores_retired")),
            "<a> and <b> need different values of the front end's tag")
    refused(experiment(one.format("x87_fp_retired", "packed_sp_retired")),
            r"<a> and <b> need different values of a tag of execution \(tag0 to tag3\)")
    refused(experiment(one.format("ld_miss_1l_retired", "ld_miss_2l_retired")),
            "<a> and <b> need different values of pebs_enable")
    refused(experiment(one.format("dtlb_ld_miss_retired", "dtlb_st_miss_retired")),
            "<a> and <b> need different values of pebs_matrix_vert")
    ebs = '<ebs type="precise" interval="1000" buffer="1" sample="E" max="9"/>'
    refused(experiment(f'<a base="loads_retired">{ebs}</a><b base="loads_retired">{ebs}</b>'),
            "<a> and <b> need the same register, counter 16")
    refused(experiment(f'<a base="loads_retired">{ebs}</a><b base="x87_fp_retired"/>'),
            "<a> and <b> get their tags in different ways")


def a_cascade_counts_after_the_interval_of_the_event_before_it():
    ebs = '<ebs type="{}" interval="5000" buffer="1" sample="E" max="9"/>'
    first = f'<a base="instr_retired">{ebs.format("imprecise")}</a>'
    second = '<b base="{}"><set><cascade/>{}</set>{}</b>'
    lines = registers(first + '<x base="instr_retired"/>'
                      + first.replace("a ", "y ").replace("/a", "/y")
                      + second.format("instr_retired", "", ""))
    # The third event has counter 14, because it must start counter 16: 12 and 13 are taken.
    expect([line.split()[3] for line in lines] == ["12", "13", "14", "16"], lines)
    for events, sentence in (
            (second.format("instr_retired", "", ""), "and no event before it has an interval"),
            ('<a base="instr_retired"/>' + second.format("instr_retired", "", ""),
             "and no event before it has an interval"),
            (f'<a base="front_end_event">{ebs.format("precise")}</a>'
             + second.format("instr_retired", "", ""), "and no event before it has an interval"),
            (first + second.format("instr_retired", "", ebs.format("imprecise")),
             "<b> has <cascade/> and <ebs>: leave one of them out"),
            (first + second.format("instr_retired", "<os/>", ""),
             "<b> starts after <a> in user mode alone: clear <os/> in both"),
            (first + second.format("bsq_cache_reference", "", ""),
             "<a> and <b> have no counters of which the first starts the second")):
        refused(experiment(events), sentence)


def nineteen_events_are_too_many():
    refused(experiment("\n".join(f'<e{i} base="instr_retired"/>' for i in range(19))),
            "<e> has more than 18 events: divide it", "24:1")


def wrong_experiments_are_refused_at_their_place():
    event = experiment('<a base="instr_retired">{}</a>')
    ebs = '<ebs type="{}" interval="{}" buffer="{}" sample="{}" max="{}"/>'
    for text, sentence in (
            ("<set><mmtp/></set>", "the event has no field <mmtp>"),
            ("<set><reserved1/></set>", "<reserved1> is reserved"),
            ("<set><ovf_pmi/></set>", "<ovf_pmi> is set where it is needed"),
            ("<clr><usr/></clr>", r"<a> counts nothing: set <usr/>, <os/> or both"),
            ("<usr/>", "<usr> lacks the attribute val"),
            ('<threshold val="011"/>', '"011" for <threshold> does not have 4 digits'),
            ('<threshold val="0120"/>', "does not have 4 digits of 0 and 1"),
            (ebs.format("exact", 1000, 1, "E", 1), "neither \"precise\" nor \"imprecise\""),
            (ebs.format("imprecise", 999, 1, "E", 1), "the interval of <ebs> is less than 1000"),
            (ebs.format("imprecise", "0x100000000", 1, "E", 1), "is not a number up to 2147483647"),
            (ebs.format("imprecise", 1000, 0, "E", 1), "the buffer of <ebs> is less than 1"),
            (ebs.format("imprecise", 1000, 1, "X", 1), "neither \"A\" nor \"E\""),
            (ebs.format("precise", 1000, 1, "E", 1), "PEBS cannot sample <a>"),
            ('<ebs type="imprecise"/>', "<ebs> lacks the attribute sample")):
        refused(event.format(text), sentence)
    for text, sentence in (
            (experiment('<a base="none"/>'), "the configuration has no event \"none\""),
            (experiment("<none/>"), "the configuration has no event \"none\""),
            (experiment(""), "<e> has no event"),
            (experiment('<a base="instr_retired"/><A base="bnr"/>'), "there are two <A> in <e>"),
            ("<exp_config><programs/><experiments/></exp_config>", "<programs> has no program"),
            ('<exp_config><programs><p command=" "/></programs></exp_config>',
             "the command of <p> does not have 1 to 100 words"),
            ('<exp_config><programs><p.q command="x"/></programs></exp_config>',
             "the name <p.q> has a dot"),
            ("<exp_config><programs><p/></programs></exp_config>", "<p> lacks the attribute command"),
            ('<exp_config><programs><p command="x"/></programs></exp_config>',
             "<exp_config> lacks <experiments>"),
            ('<exp_config><programs><p command="x"/></programs><experiments/></exp_config>',
             "<experiments> has no experiment"),
            ("<exp_config/>", "<exp_config> lacks <programs>"),
            ("<exp_config><other/></exp_config>", "<exp_config> cannot contain <other>"),
            ('<exp_config><processor type="p6"/></exp_config>', "the processor is \"p6\""),
            ("<emon_config/>", "begins with <emon_config>, and not with <exp_config>")):
        refused(text, sentence)


def wrong_configurations_are_refused_at_their_place():
    with open(CONFIG, encoding="utf-8") as file:
        config = file.read()
    exp = experiment('<a base="instr_retired"/>')
    for old, new, sentence in (
            ('bits="9-24"', 'bits="24-9"', "run downwards"),
            ('bits="9-24"', 'bits="9-64"', "is not a number up to 63"),
            ('bits="25-30"', 'bits="24-29"', "<event_select> has bits of another field of <escr_config>"),
            ('<os bits="3"', '<usr bits="3"', "<escr_config> has two fields <usr>"),
            ('default="000000"/>', 'default="00000"/>', "does not have 6 digits"),
            ('<reserved2 bits="31-63"/>', '<high bits="31-63"/>', "<high> has bits above 31"),
            ('<usr bits="2" default="0"/>\n\t<os bits="3"',
             '<usr bits="3" default="0"/>\n\t<os bits="2"', "<usr> is not bit 2"),
            ("<usr ", "<user ", "<escr_config> lacks <usr>"),
            ('counters="0 1"', 'counters="0 18"', '"18" of <bsu_escr0> is not a number up to 17'),
            ('counters="0 1"', 'counters=""', "<bsu_escr0> feeds no counter"),
            ('select="7"', 'select="8"', '"8" of <bsu_escr0> is not a number up to 7'),
            ("<escr>tc_escr0<", "<escr>no_escr<", '<escrs> lacks the ESCR "no_escr"'),
            ("<event_select>0x01<", "<event_select>0x40<", "is not a number up to 63"),
            ("<dd bits=\"9\"/>", "<dd bits=\"8\"/>", "outside of the ESCR's <event_mask>"),
            ("<type>front_end<", "<type>middle<", "\"middle\" is not a type of tags"),
            ("<uop_type>\n\t\t\t\t<set><tagloads/>", "<no_type>\n\t\t\t\t<set><tagloads/>",
             "mismatched tag"),
            ("<escr_config size", "<escr size", "mismatched tag")):
        expect(old in config, old)
        refused(exp, sentence, config=config.replace(old, new, 1))


def malformed_files_have_line_and_column():
    refused("<exp_config>\n <programs>\n</exp_config>\n", "mismatched tag", "3:3")
    refused("<exp_config>\n<a b='1' b='2'/>", "duplicate attribute", "2:10")
    refused("<exp_config>\n<a>&none;</a>", "undefined entity", "2:4")
    refused("", "no element found", "1:1")
    refused(b"<exp_config>\n\xff\xfe</exp_config>", "not well-formed", "2:1")
    refused(b"<exp_config>\0</exp_config>", "not well-formed", "1:13")
    refused("<a/><b/>", "junk after document element", "1:5")


def entities_are_not_expanded():
    lol = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">\n' for i in range(1, 10))
    refused(f'<?xml version="1.0"?>\n<!DOCTYPE exp_config [\n<!ENTITY l0 "ha">\n{lol}]>\n'
            "<exp_config>&l9;</exp_config>", "document type, whose entities could expand")
    refused('<!DOCTYPE exp_config SYSTEM "file:///etc/passwd"><exp_config/>',
            "remove <!DOCTYPE>")


def huge_deep_and_long_files_are_refused():
    refused("<exp_config>" + "\n" * (1 << 20) + "</exp_config>", "which is too much", "1048565:1")
    refused("<exp_config>" + "<a>" * 100000, "more than 16 elements are in each other", "1:58")
    refused("<exp_config>" + "<a/>" * 5000, "the file has more than 5000 elements", "1:20009")
    refused(f"<exp_config>\n<{'n' * 61}/>", "is longer than 60 characters", "2:1")
    refused(f"<exp_config>{'x&#120;' * 2000}</exp_config>", "is longer than 1000 bytes")


def control_characters_of_a_file_name_are_shown():
    run = Run("", arguments=("-exp", "a\rb"))
    expect(run.status == INPUT and 'cannot open "a\\x0db"' in run.err, run.err)


def wrong_options_are_told():
    for arguments, sentence in ((("-none",), "unknown option"), (("-exp",), "unknown option"),
                                (("x",), '"x" is not an option'),
                                (("-interval", "0"), "is not a number of seconds"),
                                (("-interval", "nan"), "is not a number of seconds")):
        run = Run(EXAMPLE, arguments=arguments)
        expect(run.status == USAGE and sentence in run.err and not run.wrote, run.err)


def the_copies_of_a_run_can_be_its_input():
    with open(CONFIG, encoding="utf-8") as file:
        config = file.read()
    exp = experiment('<a base="instr_retired"/>')
    run = succeed(exp, config=config, arguments=("-exp", "out/exp_config.txt", "-config",
                                                 "out/emon_config.txt"),
                  before={"exp_config.txt": exp, "emon_config.txt": config})
    expect(run.files["exp_config.txt"] == exp and run.files["emon_config.txt"] == config, run.files)


def a_pipe_is_copied_too():
    exp = experiment('<a base="instr_retired"/>')
    run = succeed("", arguments=("-exp", "/dev/stdin"), stdin=exp)
    expect(run.files["exp_config.txt"] == exp, run.files)


def an_output_folder_that_cannot_be_made_is_told():
    run = Run(EXAMPLE, arguments=("-outdir", "/proc/none"))
    expect(run.status == OUTPUT and "cannot make the folder" in run.err, run.err)


sys.exit(tap.run(globals()))
