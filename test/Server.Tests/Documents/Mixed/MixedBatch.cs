using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.ClusterWide;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Store;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Caching;

namespace Jackdaw.Server.Tests.Documents.Mixed;

/// <summary>A batch as a request sends it, and what it does to the model. One document of each batch tells its place in the order of all.</summary>
internal sealed class MixedBatch
{
    private readonly List<string> _commands = [];
    private readonly List<ReceivedContent> _contents = [];
    private readonly List<Action<MixedModel>> _effects = [];
    private bool _isClusterWide;

    /// <summary>Of its marking document; 0: it was refused.</summary>
    public long Etag { get; private set; }

    /// <summary>Whether it takes chunks that were stored before.</summary>
    public bool Adopts => _contents.Any(content => content.Number > 0);

    public bool IsClusterWide => _isClusterWide;

    /// <summary>Kinds of commands.</summary>
    public HashSet<string> Kinds { get; } = [];

    public void Apply(MixedModel model) => _effects.ForEach(effect => effect(model));

    public void Put(string id, long number, string metadata = "", bool expires = false)
    {
        string collection = MixedCheck.IsRevised(id) ? "Revised" : "Plain";
        Add("PUT", $$$""" "Id":"{{{id}}}","Document":{"Number":{{{number}}},"@metadata":{"@collection":"{{{collection}}}"{{{metadata}}}}}""",
            model => model.Put(id, number, expires));
    }

    public void Delete(string id) => Add("DELETE", $$""" "Id":"{{id}}" """, model => model.Delete(id));

    public void Script(string id, long delta) => Add(
        "PATCH", $$$""" "Id":"{{{id}}}","Patch":{"Script":"this.Number += args.by","Values":{"by":{{{delta}}}}}""",
        model => model.Patch(id, number => number + delta));

    public void JsonPatch(string id, long number) => Add(
        "JsonPatch", $$$""" "Id":"{{{id}}}","JsonPatch":{"Operations":[{"op":"replace","path":"/Number","value":{{{number}}}}]}""",
        model => model.Patch(id, _ => number));

    public void Count(string id, string name, long delta) => Add(
        "Counters",
        $$$""" "Id":"{{{id}}}","Counters":{"DocumentId":"{{{id}}}","Operations":[{"Type":"Increment","CounterName":"{{{name}}}","Delta":{{{delta}}}}]}""",
        model => model.Count(id, name, delta));

    public void Attach(string id, string name, byte[] bytes, ReceivedContent content)
    {
        _contents.Add(content);
        Add("AttachmentPUT", $$""" "Id":"{{id}}","Name":"{{name}}","ContentType":"" """, model => model.Attach(id, name, bytes));
    }

    public void Detach(string id, string name) =>
        Add("AttachmentDELETE", $$""" "Id":"{{id}}","Name":"{{name}}" """, model => model.Detach(id, name));

    public void Transfer(string id, string name, string toId, string toName, bool isMove) => Add(
        isMove ? "AttachmentMOVE" : "AttachmentCOPY",
        $$""" "Id":"{{id}}","Name":"{{name}}","DestinationId":"{{toId}}","DestinationName":"{{toName}}" """,
        model => model.Transfer(id, name, toId, toName, isMove));

    /// <summary>Makes it a cluster-wide one, with a value that is new.</summary>
    public void Reserve(string key)
    {
        _isClusterWide = true;
        Add("CompareExchangePUT", $$$""" "Id":"{{{key}}}","Document":{"Object":1},"Index":0""", model => model.Values.Add(key));
    }

    /// <summary>Writes it, and notes its place.</summary>
    public async Task WriteAsync(StoredDatabase database, QueryScripts scripts)
    {
        using var parser = new BatchParser();
        using var batch = new ParsedBatch();
        string mode = _isClusterWide ? ",\"TransactionMode\":\"ClusterWide\"" : "";
        parser.Parse(Encoding.UTF8.GetBytes($$"""{"Commands":[{{string.Join(',', _commands)}}]{{mode}}}"""), batch);
        DocumentCommand[] commands = batch.Commands.ToArray();
        foreach ((PutAttachmentCommand put, ReceivedContent content) in commands.OfType<PutAttachmentCommand>().Zip(_contents))
        {
            put.Content = content;
        }

        WriteOutcome outcome = _isClusterWide
            ? await database.WriteAsync(ClusterWideTransaction.Make(commands, isAtomic: true), CancellationToken.None)
            : (await ComputedWrites.WriteAsync(database, scripts, commands, CancellationToken.None)).Outcome;
        Assert.True(outcome.Status is WriteStatus.Applied or WriteStatus.Conflict or WriteStatus.Refused, outcome.Status.ToString());
        Etag = outcome.Status == WriteStatus.Applied ? ((PutCommand)commands[0]).Etag.Value : 0;
    }

    private void Add(string kind, string members, Action<MixedModel> effect)
    {
        Kinds.Add(kind);
        _commands.Add($$"""{"Type":"{{kind}}",{{members}}}""");
        _effects.Add(effect);
    }
}
