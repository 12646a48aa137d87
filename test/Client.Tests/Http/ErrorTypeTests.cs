using System.Net;
using System.Text;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Sessions;

namespace Jackdaw.Client.Tests.Http;

/// <summary>Each type of error that servers name arrives as its exception, with what the server says of it.</summary>
public sealed class ErrorTypeTests
{
    /// <summary>Status, name of the type behind <c>Raven.Client.Exceptions.</c>, exception.</summary>
    public static TheoryData<int, string, Type> Types() => new()
    {
        { 409, "ConcurrencyException", typeof(ConcurrencyException) },
        { 409, "ClusterTransactionConcurrencyException", typeof(ClusterTransactionConcurrencyException) },
        { 409, "Documents.DocumentConflictException", typeof(DocumentConflictException) },
        { 400, "BadRequestException", typeof(BadRequestException) },
        { 400, "Routing.RouteNotFoundException", typeof(RouteNotFoundException) },
        { 400, "Documents.Compilation.IndexCompilationException", typeof(IndexCompilationException) },
        { 400, "Documents.Indexes.IndexCreationException", typeof(IndexCreationException) },
        { 500, "Documents.Indexes.IndexInvalidException", typeof(IndexInvalidException) },
        { 500, "Documents.Indexes.IndexDoesNotExistException", typeof(IndexDoesNotExistException) },
        { 500, "InvalidQueryException", typeof(InvalidQueryException) },
        { 500, "Documents.Patching.JavaScriptException", typeof(JavaScriptException) },
        { 500, "Documents.DocumentDoesNotExistException", typeof(DocumentDoesNotExistException) },
        { 500, "Documents.Attachments.AttachmentDoesNotExistException", typeof(AttachmentDoesNotExistException) },
        { 500, "Documents.Counters.CounterOverflowException", typeof(CounterOverflowException) },
        { 500, "Documents.BulkInsert.BulkInsertAbortedException", typeof(BulkInsertAbortedException) },
        { 402, "Commercial.LicenseLimitException", typeof(LicenseLimitException) },
        { 403, "Security.AuthorizationException", typeof(AuthorizationException) },
        { 408, "RavenTimeoutException", typeof(RequestTimeoutException) },
        { 410, "Database.DatabaseNotRelevantException", typeof(DatabaseNotRelevantException) },
        { 503, "Database.DatabaseDoesNotExistException", typeof(DatabaseDoesNotExistException) },
        { 503, "Database.DatabaseDisabledException", typeof(DatabaseDisabledException) },
        { 503, "Database.DatabaseLoadTimeoutException", typeof(DatabaseLoadTimeoutException) },
        { 503, "Cluster.NodeIsPassiveException", typeof(NodeIsPassiveException) },
        { 503, "ClientVersionMismatchException", typeof(ClientVersionMismatchException) },
        { 500, "RavenException", typeof(DocumentDatabaseException) },
        { 500, "Unheard.OfException", typeof(DocumentDatabaseException) },
    };

    [Theory]
    [MemberData(nameof(Types))]
    public async Task Error_OfAType_IsItsExceptionWithAllFacts(int status, string type, Type exception)
    {
        DocumentDatabaseException error = await ErrorOfAsync(status, $$"""{"Type":"Raven.Client.Exceptions.{{type}}","Message":"why","Error":"all of it"}""");
        Assert.Equal(exception, error.GetType());
        Assert.Equal(ReasonOf(exception), error.Message[..ReasonOf(exception).Length]);
        Assert.Equal(status, error.StatusCode);
        Assert.Equal("Raven.Client.Exceptions." + type, error.ServerType);
        Assert.Equal("all of it", error.ServerDetails);
        Assert.Equal("/databases/db1/docs", error.RequestUri!.AbsolutePath);
    }

    [Theory]
    [MemberData(nameof(Types))]
    public async Task Error_OfOneOfSeveralReads_IsTheSameException(int status, string type, Type exception)
    {
        string body = $$$"""
            {"Results":[{"StatusCode":{{{status}}},"Headers":{},"Result":{"Type":"Raven.Client.Exceptions.{{{type}}}","Message":"why","Error":"all of it"}}]}
            """;
        await using DocumentStore store = Store(HttpStatusCode.OK, body);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Lazy<Task<Order?>> lazy = session.Advanced.Lazily.LoadAsync<Order>("orders/1");
        DocumentDatabaseException error = await Assert.ThrowsAnyAsync<DocumentDatabaseException>(() => lazy.Value);
        Assert.Equal(exception, error.GetType());
        Assert.Contains(ReasonOf(exception), error.Message, StringComparison.Ordinal);
        Assert.Equal(status, error.StatusCode);
    }

    // A missing database is told in the words of the client, which name the call that helps.
    private static string ReasonOf(Type exception) => exception == typeof(DatabaseDoesNotExistException) ? "There is no database 'db1'" : "why";

    [Theory]
    [InlineData(400, typeof(BadRequestException))]
    [InlineData(401, typeof(AuthorizationException))]
    [InlineData(403, typeof(AuthorizationException))]
    [InlineData(408, typeof(RequestTimeoutException))]
    [InlineData(409, typeof(ConcurrencyException))]
    [InlineData(500, typeof(DocumentDatabaseException))]
    public async Task Error_OfATypeOfTheRuntimeOrNone_IsThatOfItsStatus(int status, Type exception)
    {
        foreach (string body in new[] { """{"Type":"System.ArgumentException","Message":"why"}""", """{"Message":"why"}""" })
        {
            DocumentDatabaseException error = await ErrorOfAsync(status, body);
            Assert.Equal(exception, error.GetType());
            Assert.Equal("why", error.Message);
        }
    }

    [Fact]
    public async Task Errors_WithMoreFacts_TellThem()
    {
        var conflict = (ConcurrencyException)await ErrorOfAsync(
            409, """{"Type":"x.ConcurrencyException","Message":"m","Id":"orders/1","ExpectedChangeVector":"A:1","ActualChangeVector":"A:2"}""");
        Assert.Equal(("orders/1", "A:1", "A:2"), (conflict.Id, conflict.ExpectedChangeVector, conflict.ActualChangeVector));

        var cluster = (ClusterTransactionConcurrencyException)await ErrorOfAsync(
            409,
            """
            {"Type":"x.ClusterTransactionConcurrencyException","Message":"m",
             "ConcurrencyViolations":[{"Id":"k","Type":"CompareExchange","Expected":1,"Actual":2}]}
            """);
        Assert.Equal(new ConcurrencyViolation("k", "CompareExchange", 1, 2), Assert.Single(cluster.Violations));

        var versions = (DocumentConflictException)await ErrorOfAsync(
            409, """{"Type":"x.DocumentConflictException","Message":"m","DocId":"orders/1","LargestEtag":9}""");
        Assert.Equal(("orders/1", 9), (versions.Id, versions.LargestEtag));

        var compilation = (IndexCompilationException)await ErrorOfAsync(
            400, """{"Type":"x.IndexCompilationException","Message":"m","IndexDefinitionProperty":"Maps","ProblematicText":"from x"}""");
        Assert.Equal(("Maps", "from x"), (compilation.IndexDefinitionProperty, compilation.ProblematicText));

        Assert.True(((RequestTimeoutException)await ErrorOfAsync(408, """{"Type":"x.RavenTimeoutException","FailImmediately":true}""")).FailImmediately);
    }

    [Fact]
    public async Task Error_ThatIsNoneOfThisDatabase_QuotesWhatCame()
    {
        DocumentDatabaseException error = await ErrorOfAsync(502, "<html>Bad gateway</html>");
        Assert.Contains("502", error.Message, StringComparison.Ordinal);
        Assert.Contains("<html>Bad gateway</html>", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(502)]
    [InlineData(503)]
    [InlineData(504)]
    public async Task Read_WhoseServerCannotWorkNow_IsAnsweredByTheNext_AndAWriteIsNot(int status)
    {
        int asked = 0;
        using var handler = new AnsweringHandler(request =>
        {
            asked++;
            return request.RequestUri!.Host == "first" ? AnsweringHandler.Answer("{}"u8.ToArray(), (HttpStatusCode)status) : AnsweringHandler.Answer(OneOrder);
        });
        await using var store = new DocumentStore(["http://first", "http://second"], "db1") { MessageHandler = handler };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new Order(), "orders/2");
        Assert.Equal(status, (await Assert.ThrowsAsync<DocumentDatabaseException>(() => session.SaveChangesAsync())).StatusCode);
        Assert.Equal(1, asked);
        Assert.NotNull(await session.LoadAsync<Order>("orders/1"));
        Assert.Equal(3, asked);
    }

    private static byte[] OneOrder => """{"Results":[{"Number":1,"@metadata":{"@id":"orders/1","@change-vector":"A:1-x"}}],"Includes":{}}"""u8.ToArray();

    private static async Task<DocumentDatabaseException> ErrorOfAsync(int status, string body)
    {
        await using DocumentStore store = Store((HttpStatusCode)status, body);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        return await Assert.ThrowsAnyAsync<DocumentDatabaseException>(() => session.LoadAsync<Order>("orders/1"));
    }

    private static DocumentStore Store(HttpStatusCode status, string body)
    {
        var store = new DocumentStore("http://127.0.0.1:1", "db1")
        {
            MessageHandler = new AnsweringHandler(_ => AnsweringHandler.Answer(Encoding.UTF8.GetBytes(body), status)),
        };
        store.Initialize();
        return store;
    }
}
