using System.Linq.Expressions;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Serialization;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Linq;

public sealed class TranslationFuzzTests(ITestOutputHelper output)
{
    [Fact]
    public void Translate_RandomExpressions_AreTextsThatParseOrRefusals()
    {
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        var conventions = new DocumentConventions();
        var context = new TranslationContext(conventions, new DocumentSerializer(conventions));
        (int translated, int refused) = (0, 0);
        for (int i = 0; i < 1000; i++)
        {
            Expression query = new RandomExpressions(new Random(seed + i)).Query(Golden.Users.Expression);
            try
            {
                TranslatedQuery text = LinqTranslator.Translate(query, context, Terminal.Rows);
                if (!query.ToString().Contains("Raw(", StringComparison.Ordinal)) // its text is a script, which is not checked
                {
                    Golden.Parses(new RqlText(text.Text, text.Parameters));
                }

                translated++;
            }
            catch (QueryTranslationException refusal)
            {
                Assert.All(refusal.Problems, problem => Assert.NotEmpty(problem.Hint));
                refused++;
            }
            catch (Exception wrong)
            {
                Assert.Fail($"seed {seed + i}, {query}: {wrong}");
            }
        }

        output.WriteLine($"{translated} translated, {refused} refused");
        Assert.True(translated > 50 && refused > 50, $"{translated} translated, {refused} refused");
    }
}
