using Jackdaw.Pal;
using Jackdaw.Search.Queries;
using Jackdaw.Server.Documents.Callers;
using Jackdaw.Server.Documents.Patching;
using Jackdaw.Server.Indexing.Definitions.Model;
using Jackdaw.Server.Json;
using Jackdaw.Server.Queries.Language;
using Jackdaw.Server.Scripting;
using Jackdaw.Storage;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.Server.Http.Problems;

/// <summary>Exceptions to answers.</summary>
internal static class ProblemMapping
{
    /// <summary>Whether a failure is the client's mistake or a state that the answer explains, whatever its status: at most a line of the log.</summary>
    public static bool IsExplained(Exception failure) =>
        failure is RequestRefusedException or AccessDeniedException or IndexException or IndexDefinitionException or AnalyzerCompilationException or JavaScriptException
            or PatchConflictException or JsonPatchException or PatchSizeException or PatchTimeException or PatchStarvedException
            or DocumentFormatException;

    public static Problem ToProblem(Exception failure) => failure switch
    {
        RequestRefusedException refused => refused.Problem,
        AccessDeniedException denied => new Problem(403, ProblemTypes.InvalidAuth, denied.Message),
        DocumentFormatException format => ToProblem(format),
        InvalidQueryException invalid => new Problem(400, ProblemTypes.InvalidQuery, invalid.Message),
        InvalidSearchException invalid => new Problem(400, ProblemTypes.InvalidQuery, invalid.Message),
        JavaScriptParseException script => new Problem(400, ProblemTypes.JavaScriptParse, script.Message),
        JavaScriptException script => new Problem(500, ProblemTypes.JavaScript, script.Message),
        QueryNotSupportedException later => new Problem(501, ProblemTypes.NotSupported, later.Message),
        BadHttpRequestException bad => new Problem(bad.StatusCode, ProblemTypes.BadRequest, bad.Message) { CloseConnection = true },
        PatchConflictException conflict => ToProblem(conflict),
        JsonPatchException patch => new Problem(400, ProblemTypes.InvalidOperation, patch.Message),
        PatchSizeException size => Problem.TooLarge(size.Message),
        PatchTimeException time => Problem.TooLarge(time.Message),
        PatchStarvedException starved => Problem.Unavailable(ProblemTypes.Timeout, starved.Message),
        IndexCompilationException compilation => ToProblem(compilation),
        AnalyzerCompilationException analyzer => new Problem(500, ProblemTypes.AnalyzerCompilation, analyzer.Message),
        IndexDefinitionException definition => Problem.Argument(definition.Message),
        IndexException index => ToProblem(index),
        IOException io when MessageLength.IsChunkTooLarge(io) => MessageLength.ChunkTooLarge,
        DiskFullException full => new Problem(507, ProblemTypes.Server, full.Message),
        ResourceShortageException shortage => Problem.Unavailable(ProblemTypes.Server, shortage.Message),
        PalException { IsShortage: true } shortage => Problem.Unavailable(ProblemTypes.Server, shortage.Message),
        TimeoutException timeout => Problem.Unavailable(ProblemTypes.Timeout, timeout.Message),
        ConnectionAbortedException => Problem.Unavailable(ProblemTypes.Server, "The connection is being closed."),
        ObjectDisposedException => Problem.Unavailable(
            ProblemTypes.DatabaseLoading, "The database was closed while the request ran; try again."),
        OperationCanceledException => Problem.Unavailable(ProblemTypes.Server, "The server is stopping; try again."),
        _ => new Problem(500, failure.GetType().FullName!, $"{failure.Message} (see the server's log)"),
    };

    private static Problem ToProblem(PatchConflictException refused) => new(409, ProblemTypes.Concurrency, refused.Message)
    {
        WriteDetails = json =>
        {
            json.WriteString("Id"u8, refused.Id);
            json.WriteString("ExpectedChangeVector"u8, refused.Expected);
            json.WriteString("ActualChangeVector"u8, refused.Actual);
        },
    };

    private static Problem ToProblem(IndexCompilationException refused) => new(500, ProblemTypes.IndexCompilation, refused.Message)
    {
        WriteDetails = json =>
        {
            json.WriteString("IndexDefinitionProperty"u8, refused.IndexDefinitionProperty);
            json.WriteString("ProblematicText"u8, refused.ProblematicText);
            json.WriteString("File"u8, refused.File);
            json.WriteNumber("Line"u8, refused.Line);
            json.WriteNumber("Column"u8, refused.Column);
        },
    };

    private static Problem ToProblem(IndexException refused) => refused.Fault switch
    {
        // A 404 makes clients forget the message.
        IndexFault.Missing => new Problem(500, ProblemTypes.IndexMissing, refused.Message),
        IndexFault.Locked => new Problem(500, ProblemTypes.InvalidOperation, refused.Message),
        IndexFault.NotNow => new Problem(500, ProblemTypes.InvalidOperation, refused.Message),
        IndexFault.TooMany => new Problem(400, ProblemTypes.InvalidOperation, refused.Message),
        IndexFault.Unusable => new Problem(500, ProblemTypes.IndexInvalid, refused.Message),
        IndexFault.InvalidDefinition => Problem.Argument(refused.Message),
        _ => Problem.Unavailable(ProblemTypes.DatabaseLoading, refused.Message),
    };

    private static Problem ToProblem(DocumentFormatException refused) => refused.Error switch
    {
        DocumentFormatError.TooLarge => Problem.TooLarge(refused.Message),
        DocumentFormatError.InvalidOperation => new Problem(500, ProblemTypes.InvalidOperation, refused.Message),
        DocumentFormatError.NotSupportedYet => new Problem(501, ProblemTypes.NotSupported, refused.Message),
        _ => Problem.BadRequest(refused.Message),
    };
}
