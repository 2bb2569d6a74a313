// SPDX-License-Identifier: GPL-2.0-only

/**
 * This class prints the count of each of PCL's events in the sum of two matrices, one event on
 * a line, like the example in PCL's report.
 */
public class GuestSample {
    private static final int SIZE = 100;
    private static final double[][] left = new double[SIZE][SIZE];
    private static final double[][] right = new double[SIZE][SIZE];
    private static final double[][] sum = new double[SIZE][SIZE];

    private static void add() {
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++)
                sum[i][j] = left[i][j] + right[i][j];
    }

    private static void expect(int status) {
        if (status != PCL.PCL_SUCCESS)
            throw new IllegalStateException("status " + status);
    }

    public static void main(String[] args) {
        PCL pcl = new PCL();
        int[] events = new int[1];
        long[] counts = new long[1];
        double[] ratios = new double[1];

        expect(pcl.PCLinit(0));
        for (int event = 0; event < PCL.PCL_MAX_EVENT; event++) {
            events[0] = event;
            if (pcl.PCLquery(0, events, 1, PCL.PCL_MODE_USER) != PCL.PCL_SUCCESS)
                continue;
            expect(pcl.PCLstart(0, events, 1, PCL.PCL_MODE_USER));
            add();
            expect(pcl.PCLstop(0, counts, ratios, 1));
            System.out.println(pcl.PCLeventname(event) + ":"
                    + (event < PCL.PCL_MFLOPS ? "" + counts[0] : "" + ratios[0]));
        }
        expect(pcl.PCLexit(0));
    }
}
