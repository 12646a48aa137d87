using System.Diagnostics;
using System.Text.RegularExpressions;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Patterns;

/// <summary>Compares a regular expression with many terms; one that backtracks has a time limit. One search.</summary>
public sealed class RegexMatcher
{
    /// <summary>The limit for all terms of a search with an expression that backtracks: as long as a user still waits.</summary>
    private static readonly TimeSpan s_searchTime = TimeSpan.FromSeconds(10);

    /// <summary>The longest expression in characters: the time and memory to compile it grow with its length.</summary>
    private const int PatternLengthMax = 4096;

    private readonly Regex _regex;
    private readonly bool _backtracks;
    private long _used;

    /// <summary>Reads an expression.</summary>
    /// <exception cref="InvalidSearchException">The pattern is not a regular expression.</exception>
    public RegexMatcher(string pattern)
    {
        if (pattern.Length > PatternLengthMax)
        {
            throw new InvalidSearchException(
                $"A regular expression has at most {PatternLengthMax} characters, and this one has {pattern.Length}: make it shorter.");
        }

        try
        {
            // Terms are short, and a search is ended between two of them.
            _regex = UserRegex.Make(pattern, RegexOptions.None, Regex.InfiniteMatchTimeout);
            _backtracks = UserRegex.Backtracks(_regex);
        }
        catch (ArgumentException e)
        {
            throw new InvalidSearchException($"'{pattern}' is not a regular expression of .NET: {e.Message}", e);
        }
    }

    /// <summary>Whether the expression finds something in a term.</summary>
    /// <exception cref="InvalidSearchException">Its time limit was reached.</exception>
    public bool IsMatch(ReadOnlySpan<char> term) => _backtracks ? IsMatchInTime(term) : _regex.IsMatch(term);

    private bool IsMatchInTime(ReadOnlySpan<char> term)
    {
        if (Stopwatch.GetElapsedTime(0, _used) > s_searchTime)
        {
            throw new InvalidSearchException(
                $"{UserRegex.HasALimit(_regex)} All terms together took more than {s_searchTime.TotalSeconds} s; 'startsWith' also finds terms quickly.");
        }

        long started = Stopwatch.GetTimestamp();
        try
        {
            return _regex.IsMatch(term);
        }
        catch (RegexMatchTimeoutException e)
        {
            throw new InvalidSearchException(UserRegex.HasALimit(_regex), e);
        }
        finally
        {
            _used += Stopwatch.GetTimestamp() - started;
        }
    }
}
