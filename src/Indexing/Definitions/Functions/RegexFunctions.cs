using System.Collections.Concurrent;
using System.Text.RegularExpressions;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Search.Patterns;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>What <c>Regex</c> means in a definition, also in its additional sources: static methods.</summary>
public static class RegexFunctions
{
    /// <summary>Characters of a text that cost a step: an expression without backtracking takes some nanoseconds for each.</summary>
    private const int CharactersPerStep = 64;

    /// <summary>Steps of a call beside its text.</summary>
    private const int StepsPerCall = 20;

    /// <summary>How many expressions are cached. Definitions have few, unless they compute them.</summary>
    private const int CachedMax = 256;

    private static readonly ConcurrentDictionary<(string, RegexOptions), Regex> s_cache = [];

    public static bool IsMatch(Value text, Value pattern, RegexOptions options = RegexOptions.None) =>
        !text.IsNull && Run(text, pattern, options, (regex, source) => regex.IsMatch(source));

    public static Value Replace(
        Value text, Value pattern, Value replacement, RegexOptions options = RegexOptions.None) => text.IsNull
        ? text
        : Run(text, pattern, options, (regex, source) =>
        {
            string by = replacement.AsText();
            long matches = regex.Count(source);
            ExecutionBudget.Reserve(2 * (source.Length + (matches * (by.Length + (long)source.Length))));
            return regex.Replace(source, by);
        });

    /// <summary>An object with Success, Value, Index, Length and Groups, which is a list of such objects.</summary>
    public static Value Match(Value text, Value pattern, RegexOptions options = RegexOptions.None) => text.IsNull
        ? text
        : Run(text, pattern, options, (regex, source) => FromMatch(regex.Match(source)));

    public static Value Matches(Value text, Value pattern, RegexOptions options = RegexOptions.None) => text.IsNull
        ? text
        : Run(text, pattern, options, (regex, source) =>
        {
            var found = new List<Value>();
            for (Match match = regex.Match(source); match.Success; match = match.NextMatch())
            {
                ExecutionBudget.Step();
                found.Add(FromMatch(match));
            }

            return Value.FromList([.. found]);
        });

    public static Value Split(Value text, Value pattern, RegexOptions options = RegexOptions.None) => text.IsNull
        ? text
        : Run(text, pattern, options, (regex, source) => Conversion.ToValue(regex.Split(source)));

    public static Value Escape(Value text) => text.IsNull ? text : Regex.Escape(text.AsText());

    private static T Run<T>(Value text, Value pattern, RegexOptions options, Func<Regex, string, T> run)
    {
        string source = text.AsText();
        ExecutionBudget.Charge(StepsPerCall + (source.Length / CharactersPerStep));
        Regex regex = Get(pattern.AsText(), options);
        try
        {
            return run(regex, source);
        }
        catch (RegexMatchTimeoutException timeout)
        {
            // A definition could catch this and continue for hours, so after a few of them it ends.
            ExecutionBudget.Charge(ExecutionBudget.StepsMax / 5);
            throw UserRegex.Backtracks(regex) ? new InvalidOperationException(UserRegex.HasALimit(regex), timeout) : timeout;
        }
    }

    private static Regex Get(string pattern, RegexOptions options)
    {
        if (s_cache.TryGetValue((pattern, options), out Regex? known))
        {
            return known;
        }

        var regex = UserRegex.Make(pattern, options, TimeSpan.FromMilliseconds(ExecutionBudget.DurationMsMax));
        if (s_cache.Count < CachedMax)
        {
            s_cache.TryAdd((pattern, options), regex);
        }

        return regex;
    }

    private static Value FromMatch(Match match) => Value.FromObject(new ObjectValue(
        ["Success", "Value", "Index", "Length", "Groups"],
        [match.Success, match.Value, match.Index, match.Length, Value.FromList(
            [.. match.Groups.Cast<System.Text.RegularExpressions.Group>().Select(group => Value.FromObject(
                new ObjectValue(
                    ["Success", "Value", "Index", "Length"],
                    [group.Success, group.Value, group.Index, group.Length])))])]));
}
