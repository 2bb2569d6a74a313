# SPDX-License-Identifier: GPL-2.0-only
"""List the processors that can be emulated, by the names that --cpu takes.

The emulator has a performance monitoring unit for each by vendor, family and model, so that any of
QEMU's own names will do, too.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Model:
    """A processor.

    qemu: as the emulator's -cpu takes it
    bits: what the guest's kernel and programs are for
    """

    qemu: str
    bits: int = 64


# Of features that the emulator lacks, nobody needs to be told.
MODELS = {name: dataclasses.replace(model, qemu=f"{model.qemu},check=off") for name, model in {
    # Stepping 12 (cC0) is one that Intel allows in pairs; Linux warns of QEMU's 3.
    "p5": Model("pentium,model=2,stepping=12,mmx=off", 32),
    "mmx": Model("pentium", 32),
    "pentium3": Model("pentium3", 32),
    "coreduo": Model("coreduo", 32),
    "athlon": Model("athlon", 32),
    "core2": Model("Penryn"),
    "nehalem": Model("Nehalem"),
    "sandybridge": Model("SandyBridge"),
    "haswell": Model("Haswell-noTSX"),
    "skylake": Model("Skylake-Client-noTSX-IBRS"),
    # QEMU's own model number is that of another processor, an Atom.
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
