using System.Diagnostics;
using System.Text.RegularExpressions;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>A regular expression asked of many terms, with a limit of time. One search.</summary>
internal sealed class RegexMatcher
{
    /// <summary>For one term. An expression that goes back and forth takes more on short terms only when it never ends.</summary>
    private static readonly TimeSpan s_termTime = TimeSpan.FromMilliseconds(100);

    /// <summary>For all terms of a search: what a user still waits for.</summary>
    private static readonly TimeSpan s_searchTime = TimeSpan.FromSeconds(10);

    /// <summary>Longest expression in characters: making one takes time and memory that grow with it.</summary>
    private const int PatternLengthMax = 4096;

    private readonly string _pattern;
    private readonly Regex _regex;
    private long _used;

    /// <exception cref="InvalidSearchException">The pattern is no regular expression.</exception>
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
            throw new InvalidSearchException($"'{pattern}' is no regular expression of .NET: {e.Message}", e);
        }
    }

    /// <summary>Whether it finds something in a term.</summary>
    /// <exception cref="InvalidSearchException">Its time is over.</exception>
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

    // Without going back its time grows with the term only; look-around and references to groups cannot be had that way.
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
