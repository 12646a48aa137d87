using System.Text.RegularExpressions;

namespace Jackdaw.Search.Patterns;

/// <summary>Makes the regular expressions that users write, in queries and in definitions. Nothing else in the server makes one. Any thread.</summary>
/// <remarks>An expression runs without backtracking wherever it can: its time then grows only with the text, and it needs no limit. Otherwise a
/// short text may take for ever, so that only a limit of time ends it, and a busy machine may reach the limit with an expression that is
/// harmless.</remarks>
public static class UserRegex
{
    /// <summary>The longest match of an expression that backtracks. One that does not end without it takes longer even on a short text.</summary>
    public const int BacktrackingMsMax = 100;

    /// <summary>The most states that an expression without backtracking may have; each character of a text may cost as many steps. Repetitions
    /// multiply states: <c>(a{100}){100}</c> has 10,000.</summary>
    private const int StatesMax = 10_000;

    private const RegexOptions NeedBacktracking = RegexOptions.RightToLeft | RegexOptions.ECMAScript;

    // The runtime reads this setting whenever it makes an expression without backtracking.
    static UserRegex() => AppContext.SetData("REGEX_NONBACKTRACKING_MAX_AUTOMATA_SIZE", StatesMax);

    /// <summary>Reads an expression.</summary>
    /// <param name="pattern">An expression of .NET.</param>
    /// <param name="options">What the user asks for. Culture and compilation are decided here.</param>
    /// <param name="time">The longest match of an expression that does not backtrack.</param>
    /// <exception cref="ArgumentException">The pattern is not an expression.</exception>
    public static Regex Make(string pattern, RegexOptions options, TimeSpan time)
    {
        options = (options & ~RegexOptions.Compiled) | RegexOptions.CultureInvariant;
        if ((options & NeedBacktracking) == 0)
        {
            try
            {
                return new Regex(pattern, options | RegexOptions.NonBacktracking, time);
            }
            catch (NotSupportedException)
            {
                // It has a construct that needs backtracking, or too many states.
            }
        }

        return new Regex(pattern, options & ~RegexOptions.NonBacktracking, TimeSpan.FromMilliseconds(BacktrackingMsMax));
    }

    /// <summary>Whether an expression that was made here backtracks.</summary>
    public static bool Backtracks(Regex regex) => (regex.Options & RegexOptions.NonBacktracking) == 0;

    /// <summary>Why an expression that backtracks has a limit, and what to do.</summary>
    public static string HasALimit(Regex regex) =>
        $"The regular expression '{regex}' needs backtracking, because it looks around, refers to a group, has an atomic group or repeats more than "
        + $"{StatesMax} times; such an expression may take {BacktrackingMsMax} ms on one text. Write it without these: then it has no limit.";
}
