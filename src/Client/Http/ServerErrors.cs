using System.Text;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Http;

/// <summary>Makes exceptions from answers that are errors: by the name of the error's type, or by the status if the body has no name.</summary>
internal static class ServerErrors
{
    private const int QuotedMax = 500;

    /// <param name="part">The part of a request that has failed; null for the whole request.</param>
    /// <param name="sent">The certificate that the server got, to be added to a refusal; null if that is not known.</param>
    public static DocumentDatabaseException Of(Uri uri, int status, ReadOnlySpan<byte> body, string? part = null, string? sent = null)
    {
        JsonElement error = Parse(body);
        return Of(uri, status, error, error.Text("Message"u8) is null && error.Text("Error"u8) is null ? Unreadable(status, body) : null, part, sent);
    }

    /// <summary>The exception of an error that is part of an answer.</summary>
    /// <param name="uri">Null if the request failed after its answer.</param>
    /// <param name="otherwise">The message when the error does not say why.</param>
    public static DocumentDatabaseException Of(
        Uri? uri, int status, JsonElement error, string? otherwise = null, string? part = null, string? sent = null)
    {
        string type = error.Text("Type"u8) ?? "";
        string message = error.Text("Message"u8) ?? error.Text("Error"u8) ?? otherwise
            ?? $"It has failed with status {status}, and the server does not say why.";
        message = part is null ? message : $"{part}: {message}";
        string name = type[(type.LastIndexOf('.') + 1)..];
        message = sent is not null && IsRefusal(name, status) ? $"{message} {sent}" : message;
        DocumentDatabaseException made = OfDatabase(name, uri, status, message) ?? Make(name, status, message, error);
        return Located(made, uri, status, type, error.Text("Error"u8));
    }

    private static bool IsRefusal(string name, int status) => name is "InvalidAuth" or "AuthorizationException" || status is 401 or 403;

    // The server speaks of requests; the message for a program names the call that helps.
    private static DocumentDatabaseException? OfDatabase(string name, Uri? uri, int status, string message)
    {
        string path = uri is null ? "" : uri.IsAbsoluteUri ? uri.AbsolutePath.TrimStart('/') : uri.OriginalString;
        if (status == 409 && path == "admin/databases")
        {
            return new DatabaseExistsException(message);
        }

        if (name != "DatabaseDoesNotExistException" || path.Split('/') is not ["databases", var database, ..])
        {
            return null;
        }

        string server = uri!.IsAbsoluteUri ? $" at {uri.GetLeftPart(UriPartial.Authority)}" : "";
        return new DatabaseDoesNotExistException(
            $"There is no database '{database}'{server}. Create it with store.EnsureDatabaseExistsAsync(\"{database}\") or " +
            $"store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(\"{database}\")), or give the store the name of one that exists.");
    }

    private static DocumentDatabaseException Make(string name, int status, string message, JsonElement error) => name switch
    {
        "ClusterTransactionConcurrencyException" => new ClusterTransactionConcurrencyException(message) { Violations = ViolationsOf(error) },
        "ConcurrencyException" => Conflict(message, error),
        "DocumentConflictException" => new DocumentConflictException(message)
        {
            Id = error.Text("DocId"u8) ?? error.Text("Id"u8),
            LargestEtag = error.Number("LargestEtag"u8) ?? 0,
        },
        "DatabaseDoesNotExistException" => new DatabaseDoesNotExistException(message),
        "DatabaseDisabledException" => new DatabaseDisabledException(message),
        "DatabaseLoadTimeoutException" => new DatabaseLoadTimeoutException(message),
        "DatabaseNotRelevantException" => new DatabaseNotRelevantException(message),
        "NodeIsPassiveException" => new NodeIsPassiveException(message),
        "ClientVersionMismatchException" => new ClientVersionMismatchException(message),
        "LicenseLimitException" => new LicenseLimitException(message),
        "DocumentDoesNotExistException" => new DocumentDoesNotExistException(message),
        "IndexDoesNotExistException" => new IndexDoesNotExistException(message),
        "IndexCompilationException" => new IndexCompilationException(message)
        {
            IndexDefinitionProperty = error.Text("IndexDefinitionProperty"u8),
            ProblematicText = error.Text("ProblematicText"u8),
        },
        "IndexCreationException" => new IndexCreationException(message),
        "IndexInvalidException" => new IndexInvalidException(message),
        "InvalidQueryException" => new InvalidQueryException(message),
        "JavaScriptException" => new JavaScriptException(message),
        "AttachmentDoesNotExistException" => new AttachmentDoesNotExistException(message),
        "CounterOverflowException" => new CounterOverflowException(message),
        "InvalidAuth" or "AuthorizationException" => new AuthorizationException(message),
        "BadRequestException" => new BadRequestException(message),
        "RouteNotFoundException" => new RouteNotFoundException(message),
        "BulkInsertAbortedException" => new BulkInsertAbortedException(message),
        "TimeoutException" or "RavenTimeoutException" => new RequestTimeoutException(message) { FailImmediately = error.Flag("FailImmediately"u8) },
        _ => status switch
        {
            400 => new BadRequestException(message),
            401 or 403 => new AuthorizationException(message),
            408 => new RequestTimeoutException(message),
            409 => Conflict(message, error),
            _ => new DocumentDatabaseException(message),
        },
    };

    private static ConcurrencyException Conflict(string message, JsonElement error) => new(message)
    {
        Id = error.Text("Id"u8),
        ExpectedChangeVector = error.Text("ExpectedChangeVector"u8),
        ActualChangeVector = error.Text("ActualChangeVector"u8),
    };

    private static List<ConcurrencyViolation> ViolationsOf(JsonElement error)
    {
        return [.. error.Elements("ConcurrencyViolations"u8).Select(one => new ConcurrencyViolation(
            one.Text("Id"u8) ?? "", one.Text("Type"u8) ?? "", one.Number("Expected"u8) ?? 0, one.Number("Actual"u8) ?? 0))];
    }

    private static DocumentDatabaseException Located(DocumentDatabaseException error, Uri? uri, int status, string type, string? details)
    {
        error.RequestUri = uri;
        error.StatusCode = status;
        error.ServerType = type.Length == 0 ? null : type;
        error.ServerDetails = details;
        return error;
    }

    private static JsonElement Parse(ReadOnlySpan<byte> body)
    {
        try
        {
            var reader = new Utf8JsonReader(body);
            JsonElement error = JsonElement.ParseValue(ref reader);
            return error.ValueKind == JsonValueKind.Object ? error : default;
        }
        catch (JsonException)
        {
            return default; // A proxy's page, or garbage.
        }
    }

    private static string Unreadable(int status, ReadOnlySpan<byte> body) =>
        $"The server answered {status} with a body that is not an error of this database: {Encoding.UTF8.GetString(body[..Math.Min(body.Length, QuotedMax)])}";
}
