using System.Text.Json;
using Jackdaw.Queries.Language;

namespace Jackdaw.Server.Http.Handlers.QueryEditing;

/// <summary>Something that the author of a query should know, and the part of the text that it is about.</summary>
/// <param name="Start">An offset in UTF-16 units.</param>
/// <param name="End">The offset after the part.</param>
/// <param name="Message">What is wrong and what to do.</param>
/// <param name="IsError">Whether the query cannot be run. Else it can, and does not do what it seems to do.</param>
internal sealed record QueryRemark(int Start, int End, string Message, bool IsError)
{
    /// <summary>A mistake; its part is the token that begins there, or the word, or one character.</summary>
    public static QueryRemark Of(string text, IReadOnlyList<QueryToken> tokens, QueryFault fault)
    {
        QueryToken token = tokens.FirstOrDefault(token => token.Start == fault.Start);
        int end = token.End > 0 ? token.End : fault.Start;
        while (end < text.Length && token.End == 0 && QueryScanner.IsInName(text[end]))
        {
            end++;
        }

        return new QueryRemark(fault.Start, Math.Min(Math.Max(end, fault.Start + 1), text.Length), fault.Message, IsError: true);
    }

    public void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteNumber("Start"u8, Start);
        json.WriteNumber("End"u8, End);
        json.WriteString("Message"u8, Message);
        json.WriteString("Severity"u8, IsError ? "Error" : "Warning");
        json.WriteEndObject();
    }
}
