using System.Diagnostics;
using System.Text.RegularExpressions;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Compares a regular expression with many terms, within a time limit. One search.</summary>
internal sealed class RegexMatcher
{
    /// <summary>The limit for one term. Only an expression whose backtracking practically never ends takes longer on a short term.</summary>
    private static readonly TimeSpan s_termTime = TimeSpan.FromMilliseconds(100);

    /// <summary>The limit for all terms of a search: as long as a user still waits.</summary>
    private static readonly TimeSpan s_searchTime = TimeSpan.FromSeconds(10);

    /// <summary>The longest expression in characters: the time and memory to compile it grow with its length.</summary>
    private const int PatternLengthMax = 4096;

    private readonly string _pattern;
    private readonly Regex _regex;
    private long _used;

    /// <exception cref="InvalidSearchException">The pattern is not a regular expression.</exception>
    public RegexMatcher(string pattern)
    {
        _pattern = pattern;
        if (pattern.Length > PatternLengthMax)
        {
            throw new InvalidSearchException(
                $"A regular expression has at most {PatternLengthMax} characters, and this one has {pattern.Length}: make it shorter.");
        }

        try
        {
            _regex = Make(pattern);
        }
        catch (ArgumentException e)
        {
            throw new InvalidSearchException($"'{pattern}' is not a regular expression of .NET: {e.Message}", e);
        }
    }

    /// <summary>Whether the expression finds something in a term.</summary>
    /// <exception cref="InvalidSearchException">Its time limit was reached.</exception>
    public bool IsMatch(string term)
    {
        if (Stopwatch.GetElapsedTime(0, _used) > s_searchTime)
        {
            throw new InvalidSearchException(
                $"The regular expression '{_pattern}' took more than {s_searchTime.TotalSeconds} s on all terms: simplify it, or "
                + "search by 'startsWith'.");
        }

        long started = Stopwatch.GetTimestamp();
        try
        {
            return _regex.IsMatch(term);
        }
        catch (RegexMatchTimeoutException e)
        {
            throw new InvalidSearchException(
                $"The regular expression '{_pattern}' took more than {s_termTime.TotalMilliseconds} ms on one term: simplify it.", e);
        }
        finally
        {
            _used += Stopwatch.GetTimestamp() - started;
        }
    }

    // Without backtracking, the time grows only with the term. Expressions with look-around or references to groups cannot run that way.
    private static Regex Make(string pattern)
    {
        try
        {
            return new Regex(pattern, RegexOptions.NonBacktracking | RegexOptions.CultureInvariant, s_termTime);
        }
        catch (NotSupportedException)
        {
            return new Regex(pattern, RegexOptions.CultureInvariant, s_termTime);
        }
    }
}
