# SPDX-License-Identifier: GPL-2.0-only
"""Let pytest find, run and report the tests of cases_*.py."""

import fcntl
import importlib
import os
import resource
import subprocess

import guest
import pytest
import results
from bench import samples
from cases import Failed


def spent():
    """Return the processor time of commands that have ended, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def needs_host(test):
    """Return whether a test uses several of the host's processors at the same time."""
    machine = guest.machine_of(test)
    return test.processors > 1 or bool(machine and machine.is_parallel())


class Case(pytest.Item):
    """A test as pytest's item. --collect-only shows its representation."""

    def __init__(self, *, test, **others):
        super().__init__(**others)
        self.test = test
        self.lock = None
        self.user_properties.append(("rule", test.rule))

    def __repr__(self):
        return f"{self.test.name} ({self.test.rule})"

    def setup(self):
        """If the test has parallel processors, wait until no other test runs, because all tests
        would be slow."""
        self.lock = open(os.path.join(guest.BUILD, "check.lock"), "w", encoding="utf-8")
        fcntl.flock(self.lock, fcntl.LOCK_EX if needs_host(self.test) else fcntl.LOCK_SH)

    def runtest(self):
        """Run the test."""
        begin = spent()
        with results.of(self.test) as remembered:
            if figure := self.test.function():
                self.user_properties.append(("figure", figure))
        if remembered and remembered.was_all:
            self.user_properties.append(("recalled", "yes"))
        self.user_properties.append(("processor-seconds", f"{spent() - begin:.2f}"))

    def teardown(self):
        """Let other tests run."""
        self.lock.close()

    def repr_failure(self, excinfo, style=None):
        """Return the difference that the test has found, or the place where the test itself
        failed."""
        if isinstance(excinfo.value, Failed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        """Return the place of the test, for JUnit files."""
        return self.path, None, self.test.name


class Cases(pytest.File):
    """A file with tests."""

    def collect(self):
        """Yield all tests of the file."""
        for test in importlib.import_module(self.path.stem).tests():
            yield Case.from_parent(self, name=test.name, test=test)


def pytest_collect_file(file_path, parent):
    """Return the files with tests."""
    if file_path.match("cases_*.py"):
        return Cases.from_parent(parent, path=file_path)
    return None


# pytest's cache has the duration of each test under this name.
SECONDS = "vpmc/seconds"


def is_sampled(test):
    """Return whether a test is another one with --sampling."""
    machine = guest.machine_of(test)
    return bool(machine and machine.is_sampling() and not machine.sampling
                and guest.ALONE.isdisjoint((test.name, test.name.partition("-")[0])))


def pytest_collection_modifyitems(config, items):
    """Run first the tests that can run in parallel, because the other tests would keep them
    waiting.

    The longest of them come first, so that they do not run last and alone.
    """
    if config.option.sampling:
        config.hook.pytest_deselected(items=[item for item in items if not is_sampled(item.test)])
        items[:] = [item for item in items if is_sampled(item.test)]
    seconds = config.cache.get(SECONDS, {})
    items.sort(key=lambda item: (needs_host(item.test), -seconds.get(item.name, 0)))


def pytest_addoption(parser):
    """Add the project's own options."""
    parser.addoption("--single-step", action="store_true",
                     help="interrupts can come at any instruction: slow, finds other races")
    parser.addoption("--sampling", action="store_true",
                     help="a process leaves samples in the background, where counters interrupt")
    parser.addoption("--long", action="store_true",
                     help="more repetitions, and more machines: slow, finds what is rarer")
    parser.addoption("--fresh", action="store_true",
                     help="run all machines, even if nothing has changed since a test passed")
    parser.addoption("--kernel", default="vpmc",
                     help="in place of vpmc, or of vpmc-amd64; debug: the one that checks itself")
    parser.addoption("--cpu", help="in place of each machine's processor: machine --help lists them")


def line_of(report):
    """Return the line of a test, and its failure in the lines below."""
    properties = dict(report.user_properties)
    name = report.nodeid.split("::")[-1]
    line = f"{'ok' if report.passed else 'FAIL'} {name} ({properties['rule']})"
    if "figure" in properties:
        line += f": {properties['figure']}"
    if "recalled" in properties:
        line += "; nothing has changed since it passed"
    details = str(report.longrepr or "").splitlines()
    return "\n".join([line, *("    " + detail for detail in details)])


class Lines:
    """A plugin that prints a line for each test when it ends, instead of pytest's letters."""

    def __init__(self, reporter):
        self.reporter = reporter
        self.seconds = {}
        self.recalled = 0

    @staticmethod
    def pytest_report_teststatus(report):
        """Return the outcome, an empty letter, and the word for the summary."""
        return (report.outcome, "", report.outcome.upper()) if report.when == "call" else None

    def pytest_runtest_logreport(self, report):
        """Print the line of a test that has ended."""
        if report.when == "call":
            if "recalled" in dict(report.user_properties):
                self.recalled += 1
            else:
                self.seconds[report.nodeid.split("::")[-1]] = report.duration
            self.reporter.write_line(line_of(report))

    def pytest_unconfigure(self):
        """Print the last line, which tests/tools/sum adds up. Save the durations for the next
        run."""
        cache = self.reporter.config.cache
        cache.set(SECONDS, cache.get(SECONDS, {}) | self.seconds)
        for report in self.reporter.stats.get("failed", []):
            print(line_of(report))
        if self.recalled:
            print(f"{self.recalled} ran no machine: nothing that they depend on has changed since "
                  "they passed. FRESH=1, or --fresh, runs all.")
        numbers = {name: len(tests) for name, tests in self.reporter.stats.items()}
        failed = numbers.get("failed", 0) + numbers.get("error", 0)
        print(f"{numbers.get('passed', 0)} passed, {failed} failed")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    """Build the programs of the guest, unless this process is a worker of xdist."""
    guest.SINGLE_STEP = config.option.single_step
    guest.SAMPLING = config.option.sampling
    guest.LONG = config.option.long
    guest.KERNEL = config.option.kernel
    guest.CPU = config.option.cpu
    results.FRESH = config.option.fresh
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        try:
            guest.build()
            samples.build_programs()
        except subprocess.CalledProcessError as error:
            raise pytest.UsageError("the programs of the tests do not build: see the messages above, "
                                    f"of {' '.join(error.cmd[:4])}") from error
        config.pluginmanager.register(Lines(config.pluginmanager.get_plugin("terminalreporter")))
