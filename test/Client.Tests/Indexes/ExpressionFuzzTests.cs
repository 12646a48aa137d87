using System.Linq.Expressions;

namespace Jackdaw.Client.Tests.Indexes;

/// <summary>Random expressions give on the server what they give in C#, for random documents.</summary>
public sealed class ExpressionFuzzTests
{
    [Fact]
    public void RandomExpressions_OnTheServer_GiveTheValuesOfCSharp() => Run(new Random().Next(), definitions: 12);

    [Fact]
    [Trait("Tier", "Full")]
    public void ManyRandomExpressions_OnTheServer_GiveTheValuesOfCSharp() => Run(new Random().Next(), definitions: 500);

    private static void Run(int seed, int definitions)
    {
        try
        {
            var random = new Random(seed);
            for (int i = 0; i < definitions; i++)
            {
                var expressions = new RandomIndexExpressions(random);
                Expression<Func<Sample, object?>>[] fields = [.. Enumerable.Range(0, 10).Select(_ => expressions.Next())];
                IndexHarness.GivesSameValues(fields, [.. Enumerable.Range(0, 6).Select(_ => RandomIndexExpressions.Document(random))]);
            }
        }
        catch (Exception failed)
        {
            throw new InvalidOperationException($"Seed {seed}: {failed.Message}", failed);
        }
    }
}
