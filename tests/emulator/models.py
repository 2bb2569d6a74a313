# SPDX-License-Identifier: GPL-2.0-only
"""List the processors that can be emulated, by the names that --cpu takes.

The emulator chooses the performance monitoring unit by vendor, family and model, so --cpu also
takes any of QEMU's own names.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Model:
    """A processor.

    qemu: the argument of the emulator's -cpu
    bits: 32 or 64, for the guest's kernel and programs
    """

    qemu: str
    bits: int = 64


# check=off suppresses warnings about features that the emulator lacks.
MODELS = {name: dataclasses.replace(model, qemu=f"{model.qemu},check=off") for name, model in {
    # Intel permits pairs of processors of stepping 12 (cC0). For QEMU's stepping 3, Linux
    # prints a warning.
    "p5": Model("pentium,model=2,stepping=12,mmx=off", 32),
    "mmx": Model("pentium", 32),
    "pentium3": Model("pentium3", 32),
    "coreduo": Model("coreduo", 32),
    # Model 2 lacks SSE3, and all models of the Pentium 4 have ACPI.
    "p4": Model("kvm32,model=2,stepping=9,pni=off,acpi=on", 32),
    "athlon": Model("athlon", 32),
    "prescott": Model("kvm64,model=4,stepping=3,acpi=on"),
    "core2": Model("Penryn"),
    "nehalem": Model("Nehalem"),
    "sandybridge": Model("SandyBridge"),
    "haswell": Model("Haswell-noTSX"),
    "skylake": Model("Skylake-Client-noTSX-IBRS"),
    # QEMU's own model number belongs to another processor, an Atom.
    "icelake": Model("Icelake-Server-noTSX,model=106"),
    "opteron": Model("Opteron_G1"),
    "fam10h": Model("Opteron_G3"),
    # Linux does not boot on Opteron_G5.
    "bulldozer": Model("qemu64,family=21,model=2"),
    "zen": Model("EPYC"),
    "zen3": Model("EPYC-Milan"),
    "zen4": Model("EPYC-Milan,model=17"),
}.items()}


def find(name):
    """Return a model, or QEMU's processor of this name with 32 bits."""
    return MODELS.get(name, Model(name, 32))
