using System.Text;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Tests.Sessions;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Http;

/// <summary>Whatever a server answers, a call ends: as if the answer were right, or with an error of the client. Only an object that does not fit its
/// document has an error of the serializer.</summary>
public sealed class HostileAnswerTests(ITestOutputHelper output)
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private static readonly string[] s_bodies =
    [
        "", " ", "null", "true", "1", "\"x\"", "[]", "{}", "[null]", "{", "[1,", "{\"Results\":", "<html>busy</html>", "\u00ff\u00fe", "{}{}",
        "{\"Results\":null}", "{\"Results\":{}}", "{\"Results\":1}", "{\"Results\":[]}", "{\"Results\":[null]}", "{\"Results\":[1]}", "{\"Results\":[[]]}",
        "{\"Results\":[{}]}", "{\"Results\":[{},{},{}]}", "{\"Results\":[{\"@metadata\":1}]}", "{\"Results\":[{\"@metadata\":{}}]}",
        "{\"Results\":[{\"@metadata\":{\"@id\":5}}]}", "{\"Results\":[{\"@metadata\":{\"@id\":null,\"@change-vector\":[]}}]}",
        "{\"Results\":[{\"@metadata\":{\"@id\":\"\\ud800\"}}],\"Includes\":[]}", "{\"Results\":[{\"@metadata\":{\"@id\":\"a\",\"\\udc00\":1}}]}",
        "{\"Results\":[{\"Company\":\"\\ud800\",\"@metadata\":{\"@id\":\"orders/1\"}}]}",
        "{\"Results\":[{\"Company\":{},\"@metadata\":{\"@id\":\"orders/1\"}}]}",
        "{\"Results\":[{\"@metadata\":{\"@id\":\"x\"}},{\"@metadata\":{\"@id\":\"X\"}}],\"Includes\":{\"x\":1,\"y\":{},\"z\":null}}",
        "{\"Results\":[{\"Name\":\"a\"},{\"Name\":\"A\"}],\"Indexes\":[{\"Name\":\"a\"},{\"Name\":\"A\"},{}]}",
        "{\"Results\":[],\"Includes\":{\"\\ud800\":{}}}",
        "{\"Results\":[],\"Timings\":{\"Timings\":{\"\\ud800\":1}},\"Highlightings\":{\"Company\":{\"a\":[1]}},\"Explanations\":{\"a\":[null]}}",
        "{\"Results\":[],\"TotalResults\":1e99,\"IsStale\":\"yes\",\"DurationInMs\":\"now\",\"IndexName\":7}",
        "{\"Results\":[{\"Type\":7}],\"CompareExchangeValueIncludes\":{\"a\":7},\"RevisionIncludes\":[7,{\"Revision\":{}}]}",
        "{\"Results\":[{\"StatusCode\":\"a\"}]}", "{\"Results\":[{\"StatusCode\":99999999999},{\"StatusCode\":200,\"Result\":7}]}",
        "{\"Results\":[{\"StatusCode\":200,\"Headers\":7,\"Result\":{\"Results\":7}}," +
            "{\"StatusCode\":200,\"Headers\":{\"ETag\":7},\"Result\":{\"Results\":[7]}}]}",
        "{\"Results\":[{\"Name\":7,\"Values\":7}]}", "{\"Results\":[{\"Name\":\"a\",\"Values\":[7],\"Suggestions\":[7]}]}",
        "{\"Counters\":7}", "{\"Counters\":[7,{}]}", "{\"Counters\":[{\"CounterName\":7,\"TotalValue\":\"a\"}]}",
        "{\"Id\":\"x\",\"OperationId\":\"y\",\"NewIdentityValue\":1.5}", "{\"Prefix\":1,\"Low\":\"a\",\"High\":null}",
        "{\"Prefix\":\"orders/\",\"ServerTag\":\"A\",\"Low\":5,\"High\":4,\"LastSize\":1,\"LastRangeAt\":\"2026-01-01T00:00:00.0000000Z\"}",
        "{\"Prefix\":\"orders/\",\"ServerTag\":\"A\",\"Low\":1,\"High\":4,\"LastSize\":1,\"LastRangeAt\":\"soon\"}",
        "{\"Databases\":[1]}", "{\"Databases\":{}}", "{\"Collections\":[]}",
        "{\"Collections\":{\"Orders\":\"many\"}}", "{\"orders|\":\"a\"}", "{\"\\ud800\":1}",
        "{\"Status\":\"Wrong\"}", "{\"Status\":7,\"Result\":7}", "{\"Status\":\"Completed\",\"Result\":{\"Details\":[7],\"Total\":\"a\"}}",
        "{\"Status\":\"Faulted\",\"Result\":{\"StatusCode\":\"x\"}}",
        "{\"Item\":7}\n{\"Item\":{}}\n", "{\"Item\":{\"@metadata\":{\"@id\":7}}}\n", "{\"Item\":", "\n\n\n",
        "{\"Value\":7,\"Index\":\"a\",\"Successful\":7}", "{\"Terms\":[1,null]}",
        "{\"Results\":[{\"Maps\":[1],\"Fields\":{\"a\":7},\"Configuration\":{\"a\":7}}]}",
        "{\"Results\":[{\"Fields\":{\"a\":{\"Spatial\":7,\"Indexing\":7}},\"CompoundFields\":[7],\"AdditionalAssemblies\":[7]}]}",
    ];

    private static readonly int[] s_statuses = [204, 304, 400, 401, 404, 408, 409, 410, 412, 418, 500, 502, 503, 599];

    private static readonly string[] s_errors =
    [
        "", "busy", "{}", "{\"Type\":7,\"Message\":[]}", "{\"Type\":\"a.ConcurrencyException\",\"ConcurrencyViolations\":[7,null]}",
    ];

    public static IEnumerable<object[]> Names() => ClientCalls.All.Keys.Select(name => new object[] { name });

    /// <summary>A third of the shapes for each call, another third for the next one; all of them at night.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public Task Call_WhoseAnswerHasAnotherShape_EndsAsIfRightOrWithAnErrorOfTheClient(string name) => AnswerShapesAsync(name, oneOf: 3);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Names))]
    public Task Call_WhoseAnswerHasAnyOtherShape_EndsAsIfRightOrWithAnErrorOfTheClient(string name) => AnswerShapesAsync(name, oneOf: 1);

    /// <summary>Each status once for each call, with the texts in turn; each status with each text at night.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public Task Call_WhoseAnswerIsAnErrorOfAnyKind_EndsWithAnErrorOfTheClient(string name) => AnswerErrorsAsync(name, oneOf: s_errors.Length);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(Names))]
    public Task Call_WhoseAnswerIsAnErrorOfEachKind_EndsWithAnErrorOfTheClient(string name) => AnswerErrorsAsync(name, oneOf: 1);

    [Fact]
    public async Task Calls_WhoseAnswersAreAlteredAtRandom_EndAsIfRightOrWithAnErrorOfTheClient() => await AlterAsync(seed: 20261126, roundsPerCall: 8);

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Calls_WhoseAnswersAreAlteredAtRandom_EndAsIfRightOrWithAnErrorOfTheClient_Long() =>
        await AlterAsync(Random.Shared.Next(), roundsPerCall: 100);

    [Fact]
    public async Task Calls_OfAServerThatIsAsItShouldBe_AllSucceed()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        await ClientCalls.PrepareAsync(fixture.Store);
        foreach ((string name, Func<DocumentStore, Task> call) in ClientCalls.All)
        {
            Exception? error = await Record.ExceptionAsync(() => call(fixture.Store));
            Assert.True(error is null, $"{name}: {error}");
        }
    }

    [Fact]
    public async Task Answer_ThatNobodyCouldRead_IsNotKept()
    {
        int asked = 0;
        byte[] good = """{"Results":[{"Number":1,"@metadata":{"@id":"orders/1"}}],"Includes":{},"IndexName":"collection/Orders"}"""u8.ToArray();
        await using DocumentStore store = Store(new AnsweringHandler(request => request.Headers.IfNoneMatch.Count > 0
            ? AnsweringHandler.Answer([], System.Net.HttpStatusCode.NotModified)
            : AnsweringHandler.Answer(asked++ % 2 == 0 ? "{\"Results\":[{"u8.ToArray() : good)));
        foreach (Func<Task<Order>> read in new Func<Task<Order>>[] { Load, Query })
        {
            await Assert.ThrowsAsync<BadResponseException>(read);
            Assert.Equal(1, (await read()).Number);
            Assert.Equal(1, (await read()).Number); // that one is kept
        }

        async Task<Order> Load()
        {
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            return (await session.LoadAsync<Order>("orders/1"))!;
        }

        async Task<Order> Query()
        {
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            return (await session.Query<Order>().ToListAsync())[0];
        }
    }

    [Theory]
    [InlineData("total;dur=0.4, index;dur=12.5", 12.5)]
    [InlineData("index;dur=3;desc=x, total;dur=1", 3)]
    [InlineData("total;dur=0.4", 0)]
    [InlineData("index;dur=x", 0)]
    [InlineData("index;dur=-1", 0)]
    [InlineData("index;dur=1e300", 0)]
    public async Task Query_WhoseAnswerHasWaitedForAnIndex_TellsHowLong(string header, double milliseconds)
    {
        await using DocumentStore store = Store(new AnsweringHandler(_ =>
        {
            System.Net.Http.HttpResponseMessage answer = AnsweringHandler.Answer("""{"Results":[]}"""u8.ToArray());
            answer.Headers.TryAddWithoutValidation("Server-Timing", header);
            return answer;
        }));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.Query<Order>().Statistics(out QueryStatistics statistics).ToListAsync();
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), statistics.IndexWait);
    }

    private static int PlaceOf(string name) => ClientCalls.All.Keys.ToList().IndexOf(name);

    private static async Task AnswerShapesAsync(string name, int oneOf)
    {
        int first = PlaceOf(name) % oneOf;
        foreach (byte[] body in s_bodies.Select(Bytes).Append(Deep()).Where((_, i) => i % oneOf == first))
        {
            await using DocumentStore store = Store(new AnsweringHandler(_ => AnsweringHandler.Answer(body)));
            await EndsAsync(name, store, () => $"the answer {Encoding.UTF8.GetString(body[..Math.Min(body.Length, 200)])}");
        }
    }

    private static async Task AnswerErrorsAsync(string name, int oneOf)
    {
        int first = PlaceOf(name);
        for (int i = 0; i < s_statuses.Length; i++)
        {
            foreach (string body in s_errors.Where((_, text) => (first + i + text) % oneOf == 0))
            {
                int status = s_statuses[i];
                await using DocumentStore store = Store(new AnsweringHandler(_ => AnsweringHandler.Answer(Bytes(body), (System.Net.HttpStatusCode)status)));
                bool isAsIfRight = await EndsAsync(name, store, () => $"status {status} with {body}");
                Assert.False(isAsIfRight && status is >= 400 and not 404, $"{name}: status {status} with {body} is taken for an answer");
            }
        }
    }

    private async Task AlterAsync(int seed, int roundsPerCall)
    {
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using HttpMessageHandler connections = fixture.Server.CreateHandler();
        await ClientCalls.PrepareAsync(fixture.Store);
        int failed = 0;
        foreach (string name in ClientCalls.All.Keys)
        {
            for (int round = 0; round < roundsPerCall; round++)
            {
                using var altered = new AlteredAnswers(random, new KeptOpen(connections));
                await using DocumentStore store = Store(altered, fixture.Server.Url);
                failed += await EndsAsync(name, store, () => $"seed {seed}, round {round}: {altered.Last}") ? 0 : 1;
            }
        }

        output.WriteLine($"{failed} of {ClientCalls.All.Count * roundsPerCall} calls have failed");
        Assert.True(failed > 0, "No answer was altered so that its call failed.");
    }

    // Whether it was as if the answer were right.
    private static async Task<bool> EndsAsync(string name, DocumentStore store, Func<string> what)
    {
        try
        {
            await ClientCalls.All[name](store).WaitAsync(s_limit);
            return true;
        }
        catch (Exception error)
        {
            Assert.True(error is not TimeoutException, $"{name} has not ended. {what()}");
            Assert.True(IsExpected(error), $"{name}, {what()}: {error}");
            return false;
        }
    }

    private static bool IsExpected(Exception error) => error is DocumentDatabaseException || (error is JsonException wrong && wrong.Path is not null);

    private static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);

    private static byte[] Deep() => Encoding.ASCII.GetBytes(new string('[', 100_000));

    private static DocumentStore Store(HttpMessageHandler handler, string url = "http://127.0.0.1:1")
    {
        var store = new DocumentStore(url, "db1") { MessageHandler = handler };
        store.Initialize();
        return store;
    }
}
