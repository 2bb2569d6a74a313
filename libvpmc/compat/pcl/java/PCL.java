// SPDX-License-Identifier: LGPL-2.1-or-later

/**
 * This class is PCL 2.2 for Java. It has the functions of pcl.h, except for the low-level
 * interface, which is only for C. Each object has its own handle; the first argument of its
 * methods, which is the handle in PCL's interface, is ignored. As in C, the thread that has
 * called PCLinit() must also call the other methods.
 */
public class PCL {
    public static final int PCL_MAX_EVENT_PER_CALL = 16;
    public static final int PCL_MAX_NESTING_LEVEL = 16;
    public static final int PCL_COUNTER_MAX = 19;

    public static final int PCL_SUCCESS = 0;
    public static final int PCL_NOT_SUPPORTED = -1;
    public static final int PCL_TOO_MANY_EVENTS = -2;
    public static final int PCL_TOO_MANY_NESTINGS = -3;
    public static final int PCL_TOO_ILL_NESTING = -4;
    public static final int PCL_ILL_NESTING = PCL_TOO_ILL_NESTING;
    public static final int PCL_ILL_EVENT = -5;
    public static final int PCL_MODE_NOT_SUPPORTED = -6;
    public static final int PCL_FAILURE = -7;

    public static final int PCL_MODE_USER = 1;
    public static final int PCL_MODE_SYSTEM = 2;
    public static final int PCL_MODE_USER_SYSTEM = PCL_MODE_USER | PCL_MODE_SYSTEM;

    public static final int PCL_L1CACHE_READ = 0;
    public static final int PCL_L1CACHE_WRITE = 1;
    public static final int PCL_L1CACHE_READWRITE = 2;
    public static final int PCL_L1CACHE_HIT = 3;
    public static final int PCL_L1CACHE_MISS = 4;
    public static final int PCL_L1DCACHE_READ = 5;
    public static final int PCL_L1DCACHE_WRITE = 6;
    public static final int PCL_L1DCACHE_READWRITE = 7;
    public static final int PCL_L1DCACHE_HIT = 8;
    public static final int PCL_L1DCACHE_MISS = 9;
    public static final int PCL_L1ICACHE_READ = 10;
    public static final int PCL_L1ICACHE_WRITE = 11;
    public static final int PCL_L1ICACHE_READWRITE = 12;
    public static final int PCL_L1ICACHE_HIT = 13;
    public static final int PCL_L1ICACHE_MISS = 14;
    public static final int PCL_L2CACHE_READ = 15;
    public static final int PCL_L2CACHE_WRITE = 16;
    public static final int PCL_L2CACHE_READWRITE = 17;
    public static final int PCL_L2CACHE_HIT = 18;
    public static final int PCL_L2CACHE_MISS = 19;
    public static final int PCL_L2DCACHE_READ = 20;
    public static final int PCL_L2DCACHE_WRITE = 21;
    public static final int PCL_L2DCACHE_READWRITE = 22;
    public static final int PCL_L2DCACHE_HIT = 23;
    public static final int PCL_L2DCACHE_MISS = 24;
    public static final int PCL_L2ICACHE_READ = 25;
    public static final int PCL_L2ICACHE_WRITE = 26;
    public static final int PCL_L2ICACHE_READWRITE = 27;
    public static final int PCL_L2ICACHE_HIT = 28;
    public static final int PCL_L2ICACHE_MISS = 29;
    public static final int PCL_TLB_HIT = 30;
    public static final int PCL_TLB_MISS = 31;
    public static final int PCL_ITLB_HIT = 32;
    public static final int PCL_ITLB_MISS = 33;
    public static final int PCL_DTLB_HIT = 34;
    public static final int PCL_DTLB_MISS = 35;
    public static final int PCL_CYCLES = 36;
    public static final int PCL_ELAPSED_CYCLES = 37;
    public static final int PCL_INTEGER_INSTR = 38;
    public static final int PCL_FP_INSTR = 39;
    public static final int PCL_LOAD_INSTR = 40;
    public static final int PCL_STORE_INSTR = 41;
    public static final int PCL_LOADSTORE_INSTR = 42;
    public static final int PCL_INSTR = 43;
    public static final int PCL_JUMP_SUCCESS = 44;
    public static final int PCL_JUMP_UNSUCCESS = 45;
    public static final int PCL_JUMP = 46;
    public static final int PCL_ATOMIC_SUCCESS = 47;
    public static final int PCL_ATOMIC_UNSUCCESS = 48;
    public static final int PCL_ATOMIC = 49;
    public static final int PCL_STALL_INTEGER = 50;
    public static final int PCL_STALL_FP = 51;
    public static final int PCL_STALL_JUMP = 52;
    public static final int PCL_STALL_LOAD = 53;
    public static final int PCL_STALL_STORE = 54;
    public static final int PCL_STALL = 55;
    public static final int PCL_MFLOPS = 56;
    public static final int PCL_IPC = 57;
    public static final int PCL_L1DCACHE_MISSRATE = 58;
    public static final int PCL_L2DCACHE_MISSRATE = 59;
    public static final int PCL_MEM_FP_RATIO = 60;
    public static final int PCL_MAX_EVENT = 61;

    /* * The handle of the C interface, or 0. */
    private long handle;

    static {
        System.loadLibrary("pcljni");
    }

    private static native long init();

    private static native int exit(long handle);

    private static native int query(long handle, int[] events, int number, int mode);

    private static native int start(long handle, int[] events, int number, int mode);

    private static native int read(long handle, long[] counts, double[] ratios, int number);

    private static native int stop(long handle, long[] counts, double[] ratios, int number);

    private static native String name(int event);

    /*
     * * Allocates the handle of this object. Also returns PCL_FAILURE if the object has a handle
     * already.
     */
    public int PCLinit(long descr) {
        if (handle != 0)
            return PCL_FAILURE;
        handle = init();
        return handle == 0 ? PCL_FAILURE : PCL_SUCCESS;
    }

    /** Releases the handle of this object. */
    public int PCLexit(long descr) {
        int status = exit(handle);

        if (status == PCL_SUCCESS)
            handle = 0;
        return status;
    }

    /** Asks whether events can be counted at the same time. */
    public int PCLquery(long descr, int[] events, int number, int mode) {
        return query(handle, events, number, mode);
    }

    /** Counts events from zero. */
    public int PCLstart(long descr, int[] events, int number, int mode) {
        return start(handle, events, number, mode);
    }

    /** Reads counts, which continue. Also returns PCL_FAILURE if an array is too short. */
    public int PCLread(long descr, long[] counts, double[] ratios, int number) {
        return read(handle, counts, ratios, number);
    }

    /** Stops the counts of the last PCLstart(). Also returns PCL_FAILURE if an array is too short. */
    public int PCLstop(long descr, long[] counts, double[] ratios, int number) {
        return stop(handle, counts, ratios, number);
    }

    /** Returns the name of an event, or null if no event has this number. */
    public String PCLeventname(int event) {
        return name(event);
    }
}
