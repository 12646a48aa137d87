using System.Collections.Concurrent;
using System.Text.RegularExpressions;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>What <c>Regex</c> means in a definition: static methods with a time limit for each call.</summary>
public static class RegexFunctions
{
    /// <summary>Longest time of a match, in milliseconds. Usual expressions take microseconds, catastrophic ones never end.</summary>
    private const int MatchMsMax = 100;

    /// <summary>How many expressions are cached. Definitions have few, unless they compute them.</summary>
    private const int CachedMax = 256;

    private static readonly ConcurrentDictionary<(string, RegexOptions), Regex> s_cache = [];

    public static bool IsMatch(Value text, Value pattern, RegexOptions options = RegexOptions.None) =>
        !text.IsNull && Run(pattern, options, regex => regex.IsMatch(text.AsText()));

    public static Value Replace(
        Value text, Value pattern, Value replacement, RegexOptions options = RegexOptions.None) => text.IsNull
        ? text
        : Run(pattern, options, regex =>
        {
            string source = text.AsText();
            string by = replacement.AsText();
            long matches = regex.Count(source);
            ExecutionBudget.Reserve(2 * (source.Length + (matches * (by.Length + (long)source.Length))));
            return regex.Replace(source, by);
        });

    /// <summary>An object with Success, Value, Index, Length and Groups, which is a list of such objects.</summary>
    public static Value Match(Value text, Value pattern, RegexOptions options = RegexOptions.None) => text.IsNull
        ? text
        : Run(pattern, options, regex => FromMatch(regex.Match(text.AsText())));

    public static Value Matches(Value text, Value pattern, RegexOptions options = RegexOptions.None) => text.IsNull
        ? text
        : Run(pattern, options, regex =>
        {
            var found = new List<Value>();
            for (Match match = regex.Match(text.AsText()); match.Success; match = match.NextMatch())
            {
                ExecutionBudget.Step();
                found.Add(FromMatch(match));
            }

            return Value.FromList([.. found]);
        });

    public static Value Split(Value text, Value pattern, RegexOptions options = RegexOptions.None) => text.IsNull
        ? text
        : Run(pattern, options, regex => Conversion.ToValue(regex.Split(text.AsText())));

    public static Value Escape(Value text) => text.IsNull ? text : Regex.Escape(text.AsText());

    private static T Run<T>(Value pattern, RegexOptions options, Func<Regex, T> run)
    {
        ExecutionBudget.Charge(20);
        try
        {
            return run(Get(pattern.AsText(), options));
        }
        catch (RegexMatchTimeoutException)
        {
            // A definition could catch this and continue for hours, so after a few of them it ends.
            ExecutionBudget.Charge(ExecutionBudget.StepsMax / 5);
            throw;
        }
    }

    private static Regex Get(string pattern, RegexOptions options)
    {
        options = (options & ~RegexOptions.Compiled) | RegexOptions.CultureInvariant;
        if (s_cache.TryGetValue((pattern, options), out Regex? known))
        {
            return known;
        }

        var regex = new Regex(pattern, options, TimeSpan.FromMilliseconds(MatchMsMax));
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
