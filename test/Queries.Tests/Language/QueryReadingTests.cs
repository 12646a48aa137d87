using Jackdaw.Queries.Language;
using Xunit.Abstractions;

namespace Jackdaw.Queries.Tests.Language;

/// <summary>What editors are told about queries, for all the texts that the parser is tested with.</summary>
public sealed class QueryReadingTests(ITestOutputHelper log)
{
    private static readonly string[] s_texts =
        [.. GoldenQueries.Read("ClientQueries.golden").Concat(GoldenQueries.Read("MoreQueries.golden")).Select(query => query.Text).Distinct()];

    private static readonly string[] s_operators = ["=", "==", "!=", "<>", "<", ">", "<=", ">="];

    [Fact]
    public void Tokens_OfEveryQuery_CoverAllButBlanksAndDoNotOverlap()
    {
        foreach (string text in s_texts)
        {
            int end = 0;
            foreach (QueryToken token in TokensOf(text))
            {
                Assert.True(token.Start >= end && token.End > token.Start, $"{text}: {token}");
                Assert.True(string.IsNullOrWhiteSpace(text[end..token.Start]), $"{text}: '{text[end..token.Start]}' is in no token");
                end = token.End;
            }

            Assert.True(string.IsNullOrWhiteSpace(text[end..]), $"{text}: '{text[end..]}' is in no token");
        }
    }

    [Fact]
    public void Recorder_ChangesNoTree()
    {
        foreach (string text in s_texts)
        {
            Assert.Equal(SyntaxPrinter.Print(QueryParser.Parse(text)), SyntaxPrinter.Print(QueryParser.Parse(text, new QueryRecorder())));
        }
    }

    // The word that an author wrote is one of those that were possible there. The places of methods are checked against the server.
    [Fact]
    public void Words_OfEveryQuery_AreExpectedWhereTheyStand()
    {
        int words = 0;
        foreach (string text in s_texts)
        {
            IReadOnlyList<QueryToken> tokens = TokensOf(text);
            for (int i = 0; i < tokens.Count; i++)
            {
                QueryToken token = tokens[i];
                string word = text[token.Start..token.End];
                if (!IsOffered(text, token, word))
                {
                    continue;
                }

                words++;
                QueryPlace place = QueryReading.PlaceAt(text, token.Start);
                Assert.True(place.Start == token.Start && place.Expected.Any(expected => Fits(expected, token.Kind, word)),
                    $"{text}\n'{word}' ({token.Kind}) at {token.Start} is not among: {string.Join(", ", place.Expected)}");
            }
        }

        log.WriteLine($"{words} words");
        Assert.True(words > 900);
    }

    [Fact]
    public void Places_OfTextsCutAnywhere_AreTheSameAsOfTheWholeWord()
    {
        foreach (string text in s_texts)
        {
            foreach (QueryToken token in TokensOf(text).Where(token => token.Kind is QueryTokenKind.Keyword or QueryTokenKind.Source))
            {
                QueryPlace first = QueryReading.PlaceAt(text, token.Start);
                for (int at = token.Start + 1; at < token.End; at++)
                {
                    QueryPlace place = QueryReading.PlaceAt(text[..at], at);
                    Assert.True(first.Start == place.Start && first.Expected.SequenceEqual(place.Expected), $"{text}, {at}");
                }
            }
        }
    }

    [Theory]
    [InlineData("from Users where Name = 'a' // comm")]
    [InlineData("from Users /* comm")]
    [InlineData("from Users select { a: ")]
    [InlineData("from Users as ")]
    [InlineData("declare function ")]
    [InlineData("from Users where Name = 'a' and nothing else ")]
    public void Place_WhereNothingCanBeOffered_IsEmpty(string text) => Assert.Empty(QueryReading.PlaceAt(text, text.Length).Expected);

    [Theory]
    [InlineData("from Users where City = 'Lon", nameof(ExpectedKind.Value), "City", 24)]
    [InlineData("from Users as u where u.Address.City in ('a', \"", nameof(ExpectedKind.Value), "u.Address.City", 46)]
    [InlineData("from 'Us", nameof(ExpectedKind.Collection), "", 5)]
    [InlineData("from index 'Us", nameof(ExpectedKind.Index), "", 11)]
    [InlineData("from Users where Address.", nameof(ExpectedKind.Field), "Address", 25)]
    [InlineData("from Users where Lines[].Pro", nameof(ExpectedKind.Field), "Lines[]", 25)]
    [InlineData("from Users where Age > $", nameof(ExpectedKind.Parameter), "", 24)]
    [InlineData("from Users order ", nameof(ExpectedKind.Keyword), "by", 17)]
    [InlineData("from Users group by City where cou", nameof(ExpectedKind.Method), "count", 31)]
    public void Place_WithinAWord_IsCompleted(string text, string kind, string word, int start)
    {
        QueryPlace place = QueryReading.PlaceAt(text, text.Length);

        Assert.Equal(start, place.Start);
        Assert.Contains(new QueryExpectation(Enum.Parse<ExpectedKind>(kind), word), place.Expected);
    }

    [Fact]
    public void RandomTexts_AreReadWithoutFailure()
    {
        int seed = Environment.TickCount;
        log.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int round = 0; round < 5_000; round++)
        {
            string text = QueryParserTests.Mutate(random, s_texts);
            try
            {
                (_, IReadOnlyList<QueryToken> tokens, QueryFault? fault) = QueryReading.Read(text, _ => { });
                Assert.All(tokens, token => Assert.True(token.Start < token.End && token.End <= text.Length));
                Assert.True(fault is null || (fault.Start >= 0 && fault.Start <= text.Length));
                int at = random.Next(text.Length + 1);
                Assert.InRange(QueryReading.PlaceAt(text, at).Start, 0, at);
            }
            catch (Exception failure)
            {
                Assert.Fail($"seed {seed}, round {round}, text: {text}\n{failure}");
            }
        }
    }

    private static IReadOnlyList<QueryToken> TokensOf(string text) => QueryReading.Read(text, _ => { }).Tokens;

    private static bool IsOffered(string text, QueryToken token, string word) => token.Kind switch
    {
        QueryTokenKind.Keyword or QueryTokenKind.Source or QueryTokenKind.Constant => true,
        QueryTokenKind.Field => token.Start == 0 || text[token.Start - 1] != ')', // the member of a method's result
        QueryTokenKind.Symbol => s_operators.Contains(word) && !text[..token.Start].TrimEnd().EndsWith(" Not", StringComparison.Ordinal), // a field "Not"
        _ => false,
    };

    private static bool Fits(QueryExpectation expected, QueryTokenKind kind, string word) => kind switch
    {
        QueryTokenKind.Keyword => expected.Kind == ExpectedKind.Keyword
            && expected.Text.Split(' ')[0].Equals(word, StringComparison.OrdinalIgnoreCase),
        QueryTokenKind.Source => expected.Kind is ExpectedKind.Collection or ExpectedKind.Index,
        QueryTokenKind.Field => expected.Kind is ExpectedKind.Field or ExpectedKind.Value,
        QueryTokenKind.Constant => expected.Kind is ExpectedKind.Constant or ExpectedKind.Field,
        _ => expected.Kind == ExpectedKind.Operator,
    };
}
