using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Models;

// What batches of several writers have beside the random commands: a mark, documents that expire, and documents that all writers change.
internal sealed partial class TogetherBatch
{
    private readonly List<Action<TogetherModel>> _shared = [];

    /// <summary>Of the first command when it is a PUT, once the batch was applied: the place of a marked batch in the order of all.</summary>
    public long Etag { get; set; }

    /// <summary>Whether it takes chunks that were stored before.</summary>
    public bool Adopts { get; set; }

    /// <summary>Whether it changes documents that other writers change too: nobody knows before whether it will be applied.</summary>
    public bool IsShared => _shared.Count > 0;

    /// <summary>Does to a model of the shared documents what the batch has done to them; in the order of the etags.</summary>
    public void ApplyShared(TogetherModel shared)
    {
        _shared.ForEach(effect => effect(shared));
        shared.EndBatch();
    }

    /// <summary>Begins the batch with a document that tells its place.</summary>
    public void Mark(string id, bool isClusterWide)
    {
        TogetherText text = Text();
        Say(isClusterWide ? "ClusterPUT" : "PUT", PutJson(id, text));
        model.Put(id, text, isClusterWide ? DocumentFlags.FromClusterTransaction : DocumentFlags.None);
        if (isClusterWide)
        {
            Indexed[$"rvn-atomic/{id}"] = $$$"""{"Object":{"Id":"{{{id}}}"}}""";
        }
    }

    /// <summary>Puts the documents that the random commands are about: those of an empty database would mostly be refused.</summary>
    public void Fill()
    {
        foreach (string id in Enumerable.Range(0, 12).Select(number => $"docs/{scope}{number}"))
        {
            TogetherText text = Text();
            Say("PUT", PutJson(id, text));
            model.Put(id, text);
        }
    }

    /// <summary>A document with a counter and an attachment that is deleted some time later.</summary>
    public void AddExpiring(string id, DateTime expires)
    {
        var text = new TogetherText("Due", random.Next(1000), expires);
        Say("PUT", PutJson(id, text));
        model.Put(id, text);
        Say("Counters Increment", CountJson(id, "c", 3));
        model.BeginCounting(id, ["c"], []);
        model.Count(id, "c", 3);
        Attach(id, model);
    }

    /// <summary>One or two commands about a document that other writers change at the same time.</summary>
    public void AddShared(string id)
    {
        if (random.Next(5) > 0)
        {
            TogetherText text = Text();
            Share("PUT", PutJson(id, text), shared => shared.Put(id, text));
        }

        string name = Name();
        long delta = random.Next(1, 9);
        switch (random.Next(6))
        {
            case 0:
                Share("DELETE", $$"""{"Id":"{{id}}","Type":"DELETE"}""", shared => shared.Delete(id));
                break;
            case 1:
                string script = $$$"""{"Id":"{{{id}}}","Patch":{"Script":"this.n++;"},"Type":"PATCH"}""";
                Share("PATCH", script, shared => Increment(shared, id));
                break;
            case 2:
                string detach = $$"""{"Id":"{{id}}","Name":"{{name}}","Type":"AttachmentDELETE"}""";
                Share("AttachmentDELETE", detach, shared => shared.DeleteAttachment(id, name));
                break;
            case 3:
                Share("Counters Increment", CountJson(id, name, delta), shared => Count(shared, id, name, delta));
                break;
            default:
                Attach(id, null);
                break;
        }
    }

    // model: of the document; null: the document is shared.
    private void Attach(string id, TogetherModel? target)
    {
        TogetherAttachment attachment = Attachment();
        Contents.Add(attachment.Bytes);
        if (target is null)
        {
            Share("AttachmentPUT", AttachJson(id, attachment), shared => shared.PutAttachment(id, attachment.Name, attachment));
        }
        else
        {
            Say("AttachmentPUT", AttachJson(id, attachment));
            target.PutAttachment(id, attachment.Name, attachment);
        }
    }

    private static void Count(TogetherModel shared, string id, string name, long delta)
    {
        shared.BeginCounting(id, [name], []);
        shared.Count(id, name, delta);
    }

    private static void Increment(TogetherModel shared, string id)
    {
        if (shared.Find(id) is { } document)
        {
            shared.Put(id, document.Text with { Number = document.Text.Number + 1 });
        }
    }

    private void Share(string kind, string json, Action<TogetherModel> effect)
    {
        Say(kind, json);
        _shared.Add(effect);
    }

    private static string PutJson(string id, TogetherText text) => $$"""{"Id":"{{id}}","Document":{{text.ToJson()}},"Type":"PUT"}""";

    private static string CountJson(string id, string name, long delta)
    {
        string operation = $$"""{"Type":"Increment","CounterName":"{{name}}","Delta":{{delta}}}""";
        return $$$"""{"Id":"{{{id}}}","Counters":{"DocumentId":"{{{id}}}","Operations":[{{{operation}}}]},"Type":"Counters"}""";
    }
}
