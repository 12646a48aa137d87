using System.Text.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Server.Http.Problems;

/// <summary>The one table of the answers to each kind of refusal. A new kind needs one line here.</summary>
internal static class RefusalAnswers
{
    public static Problem ToProblem(Refusal refusal)
    {
        Problem problem = Of(refusal.Kind, refusal.Message);
        return refusal.Facts.Count == 0 ? problem : problem with { WriteDetails = json => Write(json, refusal.Facts) };
    }

    private static Problem Of(RefusalKind kind, string message) => kind switch
    {
        RefusalKind.Malformed => Problem.BadRequest(message),
        RefusalKind.InvalidArgument => Problem.Argument(message),
        RefusalKind.InvalidOperation => new Problem(400, ProblemTypes.InvalidOperation, message),
        RefusalKind.NotPossible => new Problem(500, ProblemTypes.InvalidOperation, message),
        RefusalKind.TooLarge => Problem.TooLarge(message),
        RefusalKind.KeyTooBig => new Problem(400, ProblemTypes.CompareExchangeKeyTooBig, message),
        RefusalKind.NotSupported => new Problem(501, ProblemTypes.NotSupported, message),
        RefusalKind.AccessDenied => new Problem(403, ProblemTypes.InvalidAuth, message),
        RefusalKind.Conflict => new Problem(409, ProblemTypes.Concurrency, message),
        RefusalKind.ClusterConflict => new Problem(409, ProblemTypes.ClusterConcurrency, message),
        RefusalKind.DocumentMissing => new Problem(500, ProblemTypes.DocumentMissing, message),
        RefusalKind.AttachmentMissing => new Problem(500, ProblemTypes.AttachmentMissing, message),
        RefusalKind.ContentGone => new Problem(503, ProblemTypes.InvalidOperation, message),
        RefusalKind.CounterOverflow => new Problem(500, ProblemTypes.CounterOverflow, message),
        RefusalKind.InvalidQuery => new Problem(400, ProblemTypes.InvalidQuery, message),
        RefusalKind.TimedOut => new Problem(500, ProblemTypes.Timeout, message),
        RefusalKind.Killed => new Problem(500, ProblemTypes.Canceled, message),
        RefusalKind.ScriptFailed => new Problem(500, ProblemTypes.JavaScript, message),
        RefusalKind.InvalidScript => new Problem(400, ProblemTypes.JavaScriptParse, message),
        RefusalKind.IndexMissing => new Problem(500, ProblemTypes.IndexMissing, message), // a 404 makes clients forget the message
        RefusalKind.IndexUnusable => new Problem(500, ProblemTypes.IndexInvalid, message),
        RefusalKind.IndexCompilation => new Problem(500, ProblemTypes.IndexCompilation, message),
        RefusalKind.AnalyzerCompilation => new Problem(500, ProblemTypes.AnalyzerCompilation, message),
        RefusalKind.SorterCompilation => new Problem(500, ProblemTypes.SorterCompilation, message),
        RefusalKind.SorterMissing => new Problem(500, ProblemTypes.SorterMissing, message),
        RefusalKind.Busy => Problem.Unavailable(ProblemTypes.Timeout, message),
        RefusalKind.Overloaded => Problem.Unavailable(ProblemTypes.Server, message),
        RefusalKind.DiskFull => new Problem(507, ProblemTypes.Server, message),
        RefusalKind.Closing => Problem.Unavailable(ProblemTypes.DatabaseLoading, message),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "This kind of refusal has no line in the table of answers."),
    };

    private static void Write(Utf8JsonWriter json, IReadOnlyList<RefusalFact> facts)
    {
        foreach ((string name, object? value) in facts)
        {
            json.WritePropertyName(name);
            switch (value)
            {
                case null:
                    json.WriteNullValue();
                    break;
                case string text:
                    json.WriteStringValue(text);
                    break;
                case int or long:
                    json.WriteNumberValue(Convert.ToInt64(value, System.Globalization.CultureInfo.InvariantCulture));
                    break;
                case IReadOnlyList<IReadOnlyList<RefusalFact>> list:
                    WriteList(json, list);
                    break;
                default:
                    throw new ArgumentException($"The fact '{name}' has a value of type {value.GetType()}.");
            }
        }
    }

    private static void WriteList(Utf8JsonWriter json, IReadOnlyList<IReadOnlyList<RefusalFact>> list)
    {
        json.WriteStartArray();
        foreach (IReadOnlyList<RefusalFact> facts in list)
        {
            json.WriteStartObject();
            Write(json, facts);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
