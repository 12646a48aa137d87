namespace Jackdaw.Server.Http.Problems;

/// <summary>Names of exception types, which official clients turn into exceptions of their own; see the error JSON.</summary>
internal static class ProblemTypes
{
    public const string Argument = "System.ArgumentException";
    public const string InvalidOperation = "System.InvalidOperationException";
    public const string NotSupported = "System.NotSupportedException";
    public const string Timeout = "System.TimeoutException";
    public const string Canceled = "System.OperationCanceledException";
    public const string IndexWaitTimeout = "Raven.Client.Exceptions.RavenTimeoutException";
    public const string CompareExchangeKeyTooBig = "Raven.Client.Exceptions.CompareExchangeKeyTooBigException";
    public const string BadRequest = "Raven.Client.Exceptions.BadRequestException";
    public const string InvalidQuery = "Raven.Client.Exceptions.InvalidQueryException";
    public const string Concurrency = "Raven.Client.Exceptions.ConcurrencyException";
    public const string ClusterConcurrency = "Raven.Client.Exceptions.ClusterTransactionConcurrencyException";
    public const string Server = "Raven.Client.Exceptions.RavenException";
    public const string RouteNotFound = "Raven.Client.Exceptions.Routing.RouteNotFoundException";
    public const string DatabaseMissing = "Raven.Client.Exceptions.Database.DatabaseDoesNotExistException";
    public const string DatabaseDisabled = "Raven.Client.Exceptions.Database.DatabaseDisabledException";
    public const string DatabaseLoading = "Raven.Client.Exceptions.Database.DatabaseLoadTimeoutException";
    public const string Unauthorized = "System.UnauthorizedAccessException";
    public const string InvalidAuth = "InvalidAuth";
    public const string DocumentMissing = "Raven.Client.Exceptions.Documents.DocumentDoesNotExistException";
    public const string AttachmentMissing = "Raven.Client.Exceptions.Documents.Attachments.AttachmentDoesNotExistException";
    public const string CounterOverflow = "Raven.Client.Exceptions.Documents.Counters.CounterOverflowException";
    public const string IndexMissing = "Raven.Client.Exceptions.Documents.Indexes.IndexDoesNotExistException";
    public const string IndexInvalid = "Raven.Client.Exceptions.Documents.Indexes.IndexInvalidException";
    public const string AnalyzerCompilation = "Raven.Client.Exceptions.Documents.Compilation.AnalyzerCompilationException";
    public const string SorterCompilation = "Raven.Client.Exceptions.Documents.Compilation.SorterCompilationException";
    public const string SorterMissing = "Raven.Client.Exceptions.Documents.Sorters.SorterDoesNotExistException";
    public const string IndexCompilation = "Raven.Client.Exceptions.Documents.Compilation.IndexCompilationException";
    public const string BulkInsertAborted = "Raven.Client.Exceptions.Documents.BulkInsert.BulkInsertAbortedException";
    public const string JavaScript = "Raven.Client.Exceptions.Documents.Patching.JavaScriptException";
    public const string JavaScriptParse = "Raven.Client.Exceptions.Documents.Patching.JavaScriptParseException";
}
