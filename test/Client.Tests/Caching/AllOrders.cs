namespace Jackdaw.Client.Tests.Caching;

/// <summary>Runs a scenario once for each order of its steps.</summary>
internal static class AllOrders
{
    /// <summary>A scenario with more is too large to be tried in all orders.</summary>
    private const int OrdersMax = 100_000;

    /// <summary>Depth first: each run repeats the choices of the last one up to the last that can still be changed.</summary>
    /// <param name="scenario">Builds everything anew, and asks for each choice: of how many, which.</param>
    /// <returns>How many orders there were.</returns>
    public static int Try(Action<Func<int, int>> scenario)
    {
        var choices = new List<(int Chosen, int Count)>();
        int runs = 0;
        do
        {
            int depth = 0;
            scenario(count =>
            {
                if (depth == choices.Count)
                {
                    choices.Add((0, count));
                }

                Assert.Equal(count, choices[depth].Count);
                return choices[depth++].Chosen;
            });
            runs++;
            Assert.True(runs <= OrdersMax, "too many orders");
            while (choices.Count > 0 && choices[^1].Chosen + 1 == choices[^1].Count)
            {
                choices.RemoveAt(choices.Count - 1);
            }

            if (choices.Count > 0)
            {
                choices[^1] = (choices[^1].Chosen + 1, choices[^1].Count);
            }
        }
        while (choices.Count > 0);
        return runs;
    }
}
