using System.Net;
using System.Text;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Tests.Operations;

/// <summary>How the end of an operation is found out, from answers that a test gives.</summary>
public sealed class OperationPollingTests : HttpMessageHandler, IOperationNotices
{
    private readonly Queue<string> _answers = new();
    private readonly List<TimeSpan> _waits = [];

    [Fact]
    public async Task WaitForCompletion_Notices_TellWhenToAskAgain()
    {
        _answers.Enqueue("""{"Status":"InProgress","Progress":{"Processed":1,"Total":5},"Result":null}""");
        _answers.Enqueue("""{"Status":"InProgress","Progress":{"Processed":1,"Total":5},"Result":null}""");
        _answers.Enqueue("""{"Status":"InProgress","Progress":{"Processed":3,"Total":5},"Result":null}""");
        _answers.Enqueue("""{"Status":"Completed","Progress":null,"Result":{"Message":"done","Total":5}}""");
        Operation operation = Make();
        List<long> progress = [];
        operation.OnProgressChanged += (_, seen) => progress.Add(seen.Processed);
        OperationResult result = await operation.WaitForCompletionAsync();
        Assert.Equal(("done", 5L), (result.Message, result.Total));
        Assert.Equal([1, 3], progress);
        Assert.Equal(3, _waits.Count);
        Assert.True(_waits[0] < _waits[1] && _waits[1] < _waits[2], "pauses grow");
    }

    [Fact]
    public async Task WaitForCompletion_StateThatIsNone_IsAnError()
    {
        foreach (string garbage in new[] { "{}", """{"Status":"Dancing"}""", """{"Status":7}""" })
        {
            _answers.Enqueue(garbage);
            await Assert.ThrowsAsync<BadResponseException>(() => Make().WaitForCompletionAsync());
        }
    }

    [Fact]
    public async Task WaitForCompletion_FailureWithoutReason_IsStillAnException()
    {
        _answers.Enqueue("""{"Status":"Faulted","Result":null}""");
        var failure = await Assert.ThrowsAsync<DocumentDatabaseException>(() => Make().WaitForCompletionAsync());
        Assert.Equal(500, failure.StatusCode);
        _answers.Enqueue("""{"Status":"Faulted","Result":{"Type":"X.ConcurrencyException","Message":"changed","StatusCode":409,"Id":"a/1"}}""");
        Assert.Equal("a/1", (await Assert.ThrowsAsync<ConcurrencyException>(() => Make().WaitForCompletionAsync())).Id);
    }

    ValueTask IOperationNotices.WaitAsync(long operationId, TimeSpan most, bool isAsync, CancellationToken token)
    {
        _waits.Add(most);
        return default;
    }

    protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        Assert.Equal("/databases/db/operations/state?id=7", request.RequestUri!.PathAndQuery);
        return Task.FromResult(new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent(_answers.Dequeue(), Encoding.UTF8) });
    }

    private Operation Make()
    {
        var conventions = new DocumentConventions();
        var transport = new HttpTransport([new Uri("http://one")], this, null);
        var executor = new RequestExecutor(transport, "db", conventions, TimeProvider.System);
        return new Operation(new OperationScope(executor, new EntityConverter(conventions, new DocumentSerializer(conventions)), this), 7, "A");
    }
}
