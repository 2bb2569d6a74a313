// SPDX-License-Identifier: GPL-2.0-only

/**
 * This class tests class PCL over preload.c. It prints a line for each event that can be
 * counted, like the example in PCL's report, and then tests the other calls in TAP.
 */
public class Sample {
    private static final PCL pcl = new PCL();
    private static final int[] INSTR = {PCL.PCL_INSTR};
    private static final int USER = PCL.PCL_MODE_USER;
    private static final long NONE = 0;
    private static int tests;

    private static void check(boolean passed, String rule) {
        System.out.println((passed ? "ok " : "not ok ") + ++tests + " - " + rule);
    }

    /**
     * This loop is measured.
     */
    private static double work() {
        double sum = 0;

        for (int i = 0; i < 1000; i++)
            sum += Math.sqrt(i);
        return sum;
    }

    private static void countEach() {
        int[] events = new int[1];
        long[] counts = new long[1];
        double[] ratios = new double[1];

        for (int event = 0; event < PCL.PCL_MAX_EVENT; event++) {
            events[0] = event;
            if (pcl.PCLquery(NONE, events, 1, USER) != PCL.PCL_SUCCESS)
                continue;
            if (pcl.PCLstart(NONE, events, 1, USER) != PCL.PCL_SUCCESS || work() < 0
                    || pcl.PCLstop(NONE, counts, ratios, 1) != PCL.PCL_SUCCESS)
                System.out.println("problem with " + pcl.PCLeventname(event));
            System.out.println("# " + pcl.PCLeventname(event) + ":"
                    + (event < PCL.PCL_MFLOPS ? "" + counts[0] : "" + ratios[0]));
        }
    }

    private static void checkNumbers() throws ReflectiveOperationException {
        boolean right = true;

        for (int event = 0; event < PCL.PCL_MAX_EVENT; event++)
            right &= PCL.class.getField(pcl.PCLeventname(event)).getInt(null) == event;
        check(right, "each name has the number that the library has for it");
        check(pcl.PCLeventname(-1) == null && pcl.PCLeventname(PCL.PCL_MAX_EVENT) == null,
                "other numbers have no name");
    }

    private static void checkCalls() {
        int[] outer = {PCL.PCL_CYCLES, PCL.PCL_INSTR};
        int[] inner = {PCL.PCL_INSTR, PCL.PCL_CYCLES};
        long[] counts = {-1, -1};

        check(pcl.PCLstart(NONE, outer, 2, USER) == PCL.PCL_SUCCESS, "a start succeeds");
        check(pcl.PCLread(NONE, counts, null, 2) == PCL.PCL_SUCCESS
                && counts[0] == 100 && counts[1] == 200, "a read has the counts");
        check(pcl.PCLstart(NONE, inner, 2, USER) == PCL.PCL_SUCCESS, "so does one within it");
        check(pcl.PCLstop(NONE, counts, null, 2) == PCL.PCL_SUCCESS
                && counts[0] == 200 && counts[1] == 100, "it has counts of its own");
        check(pcl.PCLstart(NONE, INSTR, 1, USER) == PCL.PCL_TOO_ILL_NESTING,
                "one of other events is refused");
        check(pcl.PCLstop(NONE, counts, null, 2) == PCL.PCL_SUCCESS
                && counts[0] == 400 && counts[1] == 800, "the outer one has all");
    }

    private static void checkErrors() {
        int[] tooMany = {PCL.PCL_INSTR, PCL.PCL_CYCLES, PCL.PCL_JUMP};
        long[] counts = new long[1];

        check(pcl.PCLquery(NONE, new int[] {PCL.PCL_INTEGER_INSTR}, 1, USER)
                == PCL.PCL_NOT_SUPPORTED, "what the processor lacks is not supported");
        check(pcl.PCLstart(NONE, tooMany, 3, USER) == PCL.PCL_TOO_MANY_EVENTS,
                "three events are too many");
        check(pcl.PCLstart(NONE, new int[] {-1}, 1, USER) == PCL.PCL_ILL_EVENT,
                "there is no event -1");
        check(pcl.PCLstart(NONE, INSTR, 1, 0) == PCL.PCL_MODE_NOT_SUPPORTED,
                "there is no mode 0");
        check(pcl.PCLstart(NONE, INSTR, 2, USER) == PCL.PCL_FAILURE,
                "an array that is too short is refused");
        check(pcl.PCLstart(NONE, null, 1, USER) == PCL.PCL_FAILURE, "so is none");
        check(pcl.PCLstop(NONE, counts, null, 1) == PCL.PCL_FAILURE,
                "what was not started is not stopped");
        check(pcl.PCLinit(NONE) == PCL.PCL_FAILURE, "an object has one handle");
        for (int i = 0; i < PCL.PCL_MAX_NESTING_LEVEL; i++)
            pcl.PCLstart(NONE, INSTR, 1, USER);
        check(pcl.PCLstart(NONE, INSTR, 1, USER) == PCL.PCL_TOO_MANY_NESTINGS,
                "there is a limit to starts within each other");
        check(pcl.PCLread(NONE, new long[0], null, 1) == PCL.PCL_FAILURE,
                "an array for results that is too short is refused");
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        check(pcl.PCLinit(NONE) == PCL.PCL_SUCCESS, "there is a handle");
        countEach();
        checkNumbers();
        checkCalls();
        checkErrors();
        check(pcl.PCLexit(NONE) == PCL.PCL_SUCCESS, "the handle is released");
        check(pcl.PCLexit(NONE) == PCL.PCL_FAILURE, "once");
        System.out.println("1.." + tests);
    }
}
