# SPDX-License-Identifier: GPL-2.0-only
"""Make units of SSE and AVX instructions."""

from differential import forms_sse
from differential.builder import EDGE
from differential.program import Access, Address
from differential.runtime import SINK, SINK_SIZE, VECTORS
from differential.units_integer import guard, unguard

# runtime.random_data() puts vectors in these places. Sums of the numbers in the first place are
# exact.
SOURCES = {"single": (VECTORS, VECTORS + 64), "double": (VECTORS + 32, VECTORS + 96)}
CONTROL = VECTORS + 128
CONTROL_WORDS = 5
# This flag reports denormal operands. The emulator does not set it.
DENORMAL = 2


def fill(builder, form):
    """Return a form's text with all operands filled in, except the operand in memory."""
    return form.text.replace("{d}", str(builder.random.randrange(16))).replace(
        "{s}", str(builder.random.randrange(16))).replace("{i}", str(builder.random.randrange(64)))


def vector_operand(builder, size, aligned, crossing):
    """Return the address of an operand."""
    if aligned:
        return builder.place(builder.aligned_offset(size, crossing))
    return builder.operand(size, crossing)


def emit(builder, form, crossing=False):
    """Add one instruction of a form."""
    text = fill(builder, form)
    if not form.access:
        builder.step(text)
    else:
        address = vector_operand(builder, form.size, form.aligned, crossing)
        builder.step(text.replace("{m}", address.text()), Access(form.access, form.size, address))
    if form.flags:
        builder.changed("CPAZSO")


def integers(builder):
    """Add instructions that calculate with integers, or move data of any kind. Some of them
    fault."""
    known = [form for form in forms_sse.INTEGERS if builder.has(form.level)]
    for form in builder.random.choices(known, k=builder.random.randrange(1, 7)):
        faulting = bool(form.access) and builder.chance(5)
        # If a long store faults in its second page, the emulator has already stored the first
        # part.
        may_skip = form.access == "r" or form.size <= 8
        skip = guard(builder) if faulting and may_skip and builder.chance(2) else ""
        before = set(builder.defined)
        if faulting:
            builder.forbid()
        emit(builder, form, faulting)
        if skip:
            builder.defined &= before
            unguard(builder, skip)
    if builder.chance(3):
        builder.random.choice((byte_mask, *((masked, gather) if builder.has("avx2") else ())))(
            builder)


def alignment(builder):
    """Add an instruction whose operand lacks the required alignment.

    The instruction faults and is skipped.
    """
    known = [form for form in forms_sse.INTEGERS if form.aligned and builder.has(form.level)]
    form = builder.random.choice(known)
    skip = guard(builder)
    address = builder.operand(form.size, builder.chance(3))
    before = set(builder.defined)
    builder.step(fill(builder, form).replace("{m}", address.text()),
                 Access(form.access, form.size, address))
    builder.defined = before - set("CPAZSO" if form.flags else "")
    unguard(builder, skip)


def byte_mask(builder):
    """Add MASKMOVDQU, which stores at RDI.

    On some processors, bytes that are not stored may fault, too.
    """
    builder.step(f"movl ${EDGE + builder.offset(16, below=True):#x}, %edi")
    first, second = builder.random.sample(range(16), 2)
    builder.step(f"maskmovdqu %xmm{first}, %xmm{second}", Access("w", 16, Address("rdi")))


def mask(builder):
    """Return a vector register with a mask of random bits."""
    number = builder.random.randrange(1, 8)
    builder.step(f"movl ${builder.random.getrandbits(32):#x}, %ecx")
    builder.step(f"vmovd %ecx, %xmm{number}")
    builder.step(f"vpbroadcastd %xmm{number}, %ymm{number}")
    builder.step(f"vpslld ${builder.random.randrange(32)}, %ymm{number}, %ymm{number}")
    return number


def masked(builder):
    """Add VMASKMOV and VPMASKMOV."""
    number = mask(builder)
    name = builder.random.choice(("vmaskmovps", "vmaskmovpd", "vpmaskmovd", "vpmaskmovq"))
    register, size = builder.random.choice((("x", 16), ("y", 32)))
    address = builder.operand(size, below=True)
    data = builder.random.randrange(16)
    if builder.chance(2):
        builder.step(f"{name} {address.text()}, %{register}mm{number}, %{register}mm{data}",
                     Access("r", size, address))
    else:
        builder.step(f"{name} %{register}mm{data}, %{register}mm{number}, {address.text()}",
                     Access("w", size, address))


def gather(builder):
    """Add VPGATHER or VGATHER, with indices from 0 to 15. Some elements fault."""
    number = mask(builder)
    builder.step("vpcmpeqd %ymm8, %ymm8, %ymm8")
    builder.step("vpsrld $28, %ymm8, %ymm8")
    name, width = builder.random.choice((("vpgatherdd", 4), ("vgatherdps", 4)))
    register, size = builder.random.choice((("x", 16), ("y", 32)))
    builder.step(f"vpand %ymm{builder.random.randrange(16)}, %ymm8, %ymm9")
    offset = builder.random.randrange(-60, 0)
    builder.step(f"movl ${EDGE + offset:#x}, %edi")
    if builder.chance(2):
        builder.forbid()
    builder.step(f"{name} %{register}mm{number}, (%rdi, %{register}mm9, {width}), "
                 f"%{register}mm10", Access("r", size, Address("rdi")), resumes=True)


def source(builder, kind, size):
    """Return an operand that holds numbers, in its original place or copied to another place,
    which may fault."""
    place = builder.random.choice(SOURCES[kind])
    step = 4 if kind == "single" else 8
    if size >= 16:
        start = place + 16 * builder.random.randrange(2)
    else:
        start = place + step * builder.random.randrange(32 // step - size // step + 1)
    where = Address(displacement=start)
    if not builder.chance(3):
        return where
    builder.step(f"movups {where.text()}, %xmm15", Access("r", 16, where))
    offset = builder.aligned_offset(16)
    target = Address(displacement=EDGE + offset)
    builder.step(f"movaps %xmm15, {target.text()}", Access("w", 16, target))
    if builder.chance(2):
        builder.forbid()
    return builder.place(offset)


def floats(builder):
    """Add instructions that calculate with numbers. At first, three registers have numbers."""
    kinds = ("single", "double")
    kind = builder.random.choice(kinds)
    registers = builder.random.sample(range(12), 3)
    control(builder)
    for register in registers:
        where = source(builder, kind, 16)
        builder.step(f"movaps {where.text()}, %xmm{register}", Access("r", 16, where))
    for _ in range(builder.random.randrange(2, 8)):
        first, second = builder.random.choices(registers, k=2)
        builder.random.choice((calculate, calculate, compare, convert, packed_extra))(
            builder, kind, first, second)
    status(builder)


def control(builder):
    """Set the rounding and the treatment of denormal results."""
    where = Address(displacement=CONTROL + 4 * builder.random.randrange(CONTROL_WORDS))
    builder.step(f"ldmxcsr {where.text()}", Access("r", 4, where))


def status(builder):
    """Store the flags that were raised."""
    where = Address(displacement=SINK + 4 * builder.random.randrange(SINK_SIZE // 4))
    builder.step(f"stmxcsr {where.text()}", Access("w", 4, where))
    builder.step(f"andl ${0xffff & ~DENORMAL:#x}, {where.text()}", Access("r", 4, where),
                 Access("w", 4, where))
    builder.changed("CPZSO", "A")
    where = Address(displacement=CONTROL)
    builder.step(f"ldmxcsr {where.text()}", Access("r", 4, where))


def letters(builder, kind):
    """Return the suffix of an instruction, and the size of its operand."""
    suffix = builder.random.choice([suffix for suffix, (of, _) in forms_sse.KINDS.items()
                                    if of == kind])
    return suffix, forms_sse.KINDS[suffix][1]


def calculate(builder, kind, first, second):
    """Add a sum or a similar calculation."""
    suffix, size = letters(builder, kind)
    name = builder.random.choice(forms_sse.ARITHMETIC) + suffix
    if builder.chance(2):
        builder.step(f"{name} %xmm{second}, %xmm{first}")
        return
    where = source(builder, kind, size)
    access = Access("r", size, where)
    if builder.has("avx") and builder.chance(3):
        between = "" if name in ("sqrtps", "sqrtpd") else f"%xmm{second}, "
        builder.step(f"v{name} {where.text()}, {between}%xmm{first}", access)
    else:
        builder.step(f"{name} {where.text()}, %xmm{first}", access)


def compare(builder, kind, first, second):
    """Add a comparison. Its result is in the flags, or is a mask, which replaces a number."""
    suffix, size = letters(builder, kind)
    if builder.chance(2):
        name = builder.random.choice(("ucomi", "comi")) + ("ss" if kind == "single" else "sd")
        where = source(builder, kind, 4 if kind == "single" else 8)
        builder.step(f"{name} {where.text()}, %xmm{first}",
                     Access("r", 4 if kind == "single" else 8, where))
        builder.changed("CPAZSO")
    else:
        where = source(builder, kind, size)
        builder.step(f"movaps %xmm{second}, %xmm14")
        builder.step(f"cmp{suffix} ${builder.random.randrange(8)}, {where.text()}, %xmm14",
                     Access("r", size, where))


def convert(builder, kind, first, _second):
    """Add a conversion. Its result goes to a place that may lose its number."""
    form = builder.random.choice([form for form in forms_sse.CONVERSIONS + forms_sse.TO_INTEGERS
                                  if form[1] == kind] + list(forms_sse.FROM_INTEGERS))
    if form in forms_sse.FROM_INTEGERS:
        where = builder.operand(form[1])
        builder.step(f"{form[0]} {where.text()}, %xmm13", Access("r", form[1], where))
    elif form in forms_sse.CONVERSIONS:
        where = source(builder, kind, form[2])
        builder.step(f"{form[0]} {where.text()}, %xmm13", Access("r", form[2], where))
    elif builder.chance(2):
        builder.step(f"{form[0]} %xmm{first}, %{form[3]}")
    else:
        where = source(builder, kind, form[2])
        builder.step(f"{form[0]} {where.text()}, %{form[3]}", Access("r", form[2], where))


def packed_extra(builder, kind, first, second):
    """Add horizontal sums, rounding, or multiplication with addition."""
    suffix = "ps" if kind == "single" else "pd"
    names = [f"haddp{suffix[1]}", f"hsubp{suffix[1]}", f"addsubp{suffix[1]}"]
    if builder.has("sse4.1"):
        names += [f"round{suffix} ${n}," for n in (0, 1, 2, 3, 4, 8)]
    if builder.has("avx2"):
        names += [f"vf{sign}{order}{suffix}" for sign in ("madd", "nmsub", "maddsub")
                  for order in ("132", "213", "231")]
    name = builder.random.choice(names)
    where = source(builder, kind, 16)
    between = f"%xmm{second}, " if name[0] == "v" else ""
    builder.step(f"{name} {where.text()}, {between}%xmm{first}", Access("r", 16, where))
