using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Models;

/// <summary>A random batch as a client sends it, applied to a model at the same time. Its scope is part of all ids, so that the documents of
/// several models can be in one database.</summary>
internal sealed partial class TogetherBatch(TogetherModel model, Random random, DateTime now, string scope = "")
{
    private static readonly string[] s_collections = ["Users", "Orders", "Things"];
    private static readonly string[] s_names = ["a", "b.txt", "c"];

    public List<string> Commands { get; } = [];

    public List<string> Kinds { get; } = [];

    /// <summary>For the AttachmentPUTs, in order.</summary>
    public List<byte[]> Contents { get; } = [];

    /// <summary>Documents whose ids the server completes: number of the command, what the id begins with, text.</summary>
    public List<(int Command, string Prefix, TogetherText Text)> Numbered { get; } = [];

    /// <summary>Keys that get the index of the transaction, and their values.</summary>
    public Dictionary<string, string> Indexed { get; } = [];

    /// <summary>Bytes of the largest content of an attachment.</summary>
    public int ContentBytesMax { get; init; } = 3000;

    /// <summary>Of so many contents one is of that size.</summary>
    public int LargeContentOf { get; init; } = 10;

    /// <summary>The server must refuse it.</summary>
    public bool IsRefused { get; private set; }

    public bool IsClusterWide { get; private set; }

    public string Json => $$"""{"Commands":[{{string.Join(',', Commands)}}]{{(IsClusterWide ? ",\"TransactionMode\":\"ClusterWide\"" : "")}}}""";

    /// <param name="vectorOf">The stored change vector of a document; empty: there is none.</param>
    public void Make(Func<string, string> vectorOf)
    {
        int count = random.Next(1, 8);
        for (int i = 0; i < count; i++)
        {
            string vector = "";
            string id = Id();
            if (i == 0 && random.Next(3) == 0)
            {
                vector = $",\"ChangeVector\":\"{vectorOf(TogetherModel.Key(id))}\"";
            }

            Add(random.Next(26), id, vector);
        }

        if (!IsRefused && random.Next(8) == 0)
        {
            Fail();
        }
    }

    /// <param name="guardOf">Text of the change vector that names a guard.</param>
    public void MakeClusterWide(Func<long, string> guardOf)
    {
        IsClusterWide = true;
        foreach (int number in Enumerable.Range(0, 12).OrderBy(_ => random.Next()).Take(random.Next(1, 4)))
        {
            string id = $"docs/{scope}{number}";
            string guard = $"rvn-atomic/{id}";
            long index = model.Values.GetValueOrDefault(guard)?.Index ?? 0;
            bool isWrong = random.Next(12) == 0;
            IsRefused |= isWrong;
            string original = index + (isWrong ? 1 : 0) is > 0 and var named ? $",\"OriginalChangeVector\":\"{guardOf(named)}\"" : "";
            if (random.Next(4) == 0)
            {
                Say("ClusterDELETE", $$"""{"Id":"{{id}}","Type":"DELETE"{{original}}}""");
                model.Delete(id);
                model.Values.Remove(guard);
            }
            else
            {
                TogetherText text = Text();
                Say("ClusterPUT", $$"""{"Id":"{{id}}","Document":{{text.ToJson()}},"Type":"PUT"{{original}}}""");
                model.Put(id, text, DocumentFlags.FromClusterTransaction);
                string name = model.Values.GetValueOrDefault(guard)?.Json ?? $$$"""{"Object":{"Id":"{{{id}}}"}}""";
                Indexed[guard] = name;
            }
        }

        AddValues();
    }

    private void AddValues()
    {
        foreach (int number in Enumerable.Range(0, 6).OrderBy(_ => random.Next()).Take(random.Next(3)))
        {
            string key = $"values/{scope}{number}";
            long index = model.Values.GetValueOrDefault(key)?.Index ?? 0;
            bool isWrong = random.Next(12) == 0;
            IsRefused |= isWrong;
            long named = index + (isWrong ? 1_000_000 : 0);
            if (index > 0 && random.Next(3) == 0)
            {
                Say("CompareExchangeDELETE", $$"""{"Id":"{{key}}","Index":{{named}},"Type":"CompareExchangeDELETE"}""");
                model.Values.Remove(key);
            }
            else
            {
                string value = $$"""{"Object":{{random.Next(100)}}}""";
                Say("CompareExchangePUT", $$"""{"Id":"{{key}}","Document":{{value}},"Index":{{named}},"Type":"CompareExchangePUT"}""");
                Indexed[key] = value;
            }
        }
    }

    private void Add(int kind, string id, string vector)
    {
        switch (kind)
        {
            case < 6:
                TogetherText text = Text();
                Say("PUT", $$"""{"Id":"{{id}}","Document":{{text.ToJson()}},"Type":"PUT"{{vector}}}""");
                model.Put(id, text);
                break;
            case 6:
                string prefix = scope + (random.Next(2) == 0 ? "numbered/" : "identity|");
                Numbered.Add((Commands.Count, prefix, Text()));
                Say(prefix[^1] == '|' ? "PUT identity" : "PUT numbered", $$"""{"Id":"{{prefix}}","Document":{{Numbered[^1].Text.ToJson()}},"Type":"PUT"}""");
                break;
            case 7 or 8:
                Say("DELETE", $$"""{"Id":"{{id}}","Type":"DELETE"}""");
                model.Delete(id);
                break;
            case 9:
                DeletePrefix();
                break;
            case < 13:
                Patch(id);
                break;
            case 13:
                PatchMany();
                break;
            case 14:
                JsonPatch(id);
                break;
            case < 19:
                PutAttachment(id);
                break;
            case 19 or 20:
                Transfer(id);
                break;
            case 21:
                string name = Name();
                Say("AttachmentDELETE", $$"""{"Id":"{{id}}","Name":"{{name}}","Type":"AttachmentDELETE"}""");
                model.DeleteAttachment(id, name);
                break;
            case < 25:
                Count(id);
                break;
            default:
                Say("ForceRevisionCreation", $$"""{"Id":"{{id}}","Type":"ForceRevisionCreation"}""");
                IsRefused |= !model.Force(id);
                break;
        }
    }

    private void DeletePrefix()
    {
        string prefix = random.Next(5) switch { 0 => $"{scope}numbered/", 1 => $"{scope}identity/", _ => $"docs/{scope}{random.Next(12)}" };
        if (Numbered.Count == 0)
        {
            Say("DELETE IdPrefixed", $$"""{"Id":"{{prefix}}","IdPrefixed":true,"Type":"DELETE"}""");
            model.DeletePrefix(prefix);
        }
    }

    private void Patch(string id)
    {
        string other = Id(exceptFor: id);
        string counter = Name();
        TogetherDocument? document = model.Find(id);
        switch (random.Next(8))
        {
            case 0:
                Script("PATCH put", id, $"this.n++; put('{other}', {{n: 7, '@metadata': {{'@collection': 'Orders'}}}});");
                if (document is not null)
                {
                    model.Put(other, new TogetherText("Orders", 7));
                    Increment(id);
                }

                break;
            case 1:
                Script("PATCH del", id, $"this.n++; del('{other}');");
                if (document is not null)
                {
                    model.Delete(other);
                    Increment(id);
                }

                break;
            case 2:
                Script("PATCH load", id, $"var o = load('{other}'); this.n = o === null ? -1 : o.n + 1000;");
                long loaded = model.Find(other)?.Text.Number + 1000 ?? -1;
                SetNumber(id, loaded);
                break;
            case 3:
                Script("PATCH incrementCounter", id, $"this.n++; incrementCounter(this, '{counter}', 3);");
                Increment(id);
                model.Count(id, counter, 3);
                break;
            case 4:
                Script("PATCH deleteCounter", id, $"deleteCounter(this, '{counter}');");
                model.DeleteCounter(id, counter);
                break;
            case 5:
                Script("PATCH unarchive", id, "archived.unarchive(this);");
                SetText(id, document is null ? null : document.Text with { IsArchived = false });
                break;
            case 6:
                string key = $"values/{scope}{random.Next(6)}";
                Script("PATCH cmpxchg", id, $"this.n = cmpxchg('{key}') === null ? -2 : -3;");
                SetNumber(id, model.Values.ContainsKey(key) ? -3 : -2);
                break;
            default:
                Script("PATCH", id, "this.n++;");
                Increment(id);
                break;
        }
    }

    private void PatchMany()
    {
        string first = Id();
        string second = Id(exceptFor: first);
        Say("BatchPATCH", $$$"""{"Ids":[{"Id":"{{{first}}}"},{"Id":"{{{second}}}"}],"Patch":{"Script":"this.n += 10;"},"Type":"BatchPATCH"}""");
        SetNumber(first, model.Find(first)?.Text.Number + 10);
        SetNumber(second, model.Find(second)?.Text.Number + 10);
    }

    private void JsonPatch(string id)
    {
        if (model.Find(id) is null)
        {
            return;
        }

        long number = random.Next(1000);
        Say("JsonPatch", $$$"""{"Id":"{{{id}}}","JsonPatch":{"Operations":[{"op":"replace","path":"/n","value":{{{number}}}}]},"Type":"JsonPatch"}""");
        SetNumber(id, number);
    }

    private void Script(string kind, string id, string script) =>
        Say(kind, $$$"""{"Id":"{{{id}}}","Patch":{"Script":"{{{script}}}"},"Type":"PATCH"}""");

    private void Increment(string id) => SetNumber(id, model.Find(id)?.Text.Number + 1);

    private void SetNumber(string id, long? number) => SetText(id, model.Find(id) is { } document ? document.Text with { Number = number } : null);

    private void SetText(string id, TogetherText? text)
    {
        if (text is not null && text != model.Find(id)!.Text)
        {
            model.Put(id, text);
        }
    }

    private void PutAttachment(string id)
    {
        TogetherAttachment attachment = Attachment();
        Say("AttachmentPUT", AttachJson(id, attachment));
        Contents.Add(attachment.Bytes);
        IsRefused |= !model.PutAttachment(id, attachment.Name, attachment);
    }

    private TogetherAttachment Attachment()
    {
        byte[] bytes = new byte[random.Next(LargeContentOf) == 0 ? ContentBytesMax : random.Next(4)];
        Array.Fill(bytes, (byte)random.Next(3));
        return new TogetherAttachment(Name(), random.Next(2) == 0 ? "" : "text/plain", bytes);
    }

    private static string AttachJson(string id, TogetherAttachment attachment) =>
        $$"""{"Id":"{{id}}","Name":"{{attachment.Name}}","ContentType":"{{attachment.Type}}","Type":"AttachmentPUT"}""";

    private void Transfer(string id)
    {
        TogetherDocument[] sources =
            [.. model.Documents.Values.Where(one => one.Attachments.Count > 0 && one.Id.StartsWith("docs/", StringComparison.Ordinal))];
        if (sources.Length == 0 || (model.Find(id) is null && random.Next(6) != 0))
        {
            return;
        }

        TogetherDocument source = sources[random.Next(sources.Length)];
        string name = source.Attachments.Values.ElementAt(random.Next(source.Attachments.Count)).Name;
        string toName = Name();
        if ((TogetherModel.Key(source.Id), name) == (TogetherModel.Key(id), toName))
        {
            return;
        }

        string kind = random.Next(2) == 0 ? "AttachmentCOPY" : "AttachmentMOVE";
        Say(kind, $$"""{"Id":"{{source.Id}}","Name":"{{name}}","DestinationId":"{{id}}","DestinationName":"{{toName}}","Type":"{{kind}}"}""");
        IsRefused |= !model.TransferAttachment(source.Id, name, id, toName, kind == "AttachmentMOVE");
    }

    private void Count(string id)
    {
        List<string> operations = [];
        string[] names = [.. s_names.OrderBy(_ => random.Next()).Take(random.Next(1, 3))];
        string[] kinds = [.. names.Select(_ => random.Next(6) switch { 0 or 1 => "Delete", 2 => "Get", _ => "Increment" })];
        model.BeginCounting(id, names.Where((_, i) => kinds[i] == "Increment"), names.Where((_, i) => kinds[i] == "Delete"));
        foreach ((string name, string kind) in names.Zip(kinds))
        {
            long delta = random.Next(-5, 20);
            operations.Add($$"""{"Type":"{{kind}}","CounterName":"{{name}}","Delta":{{delta}}}""");
            Kinds.Add($"Counters {kind}");
            IsRefused |= kind switch
            {
                "Delete" => !model.DeleteCounter(id, name),
                "Increment" => !model.Count(id, name, delta),
                _ => model.Find(id) is null && names.Length > 0 && !IsReadOnly(operations),
            };
        }

        if (IsReadOnly(operations))
        {
            return; // Of a batch that only reads the contract says nothing about missing documents.
        }

        Commands.Add($$$"""{"Id":"{{{id}}}","Counters":{"DocumentId":"{{{id}}}","Operations":[{{{string.Join(',', operations)}}}]},"Type":"Counters"}""");
    }

    private static bool IsReadOnly(List<string> operations) => operations.TrueForAll(one => one.Contains("\"Get\"", StringComparison.Ordinal));

    // One that must undo all the others, anywhere among them.
    private void Fail()
    {
        IsRefused = true;
        (string kind, string json) = random.Next(5) switch
        {
            0 => ("wrong vector", $$"""{"Id":"docs/{{scope}}0","ChangeVector":"A:999999-F9I6Egqwm0Kz+K0oFVIR9Q","Document":{},"Type":"PUT"}"""),
            1 => ("missing attachment",
                $$"""{"Id":"docs/{{scope}}0","Name":"none","DestinationId":"docs/{{scope}}1","DestinationName":"b","Type":"AttachmentCOPY"}"""),
            2 => ("missing document of a counter",
                """{"Id":"no/1","Counters":{"DocumentId":"no/1","Operations":[{"Type":"Increment","CounterName":"a","Delta":1}]},"Type":"Counters"}"""),
            3 => ("missing document of a revision", """{"Id":"no/1","Type":"ForceRevisionCreation"}"""),
            _ => ("script",
                $$"""{"Id":"docs/{{scope}}0","Patch":{"Script":"throw 'no';"},"PatchIfMissing":{"Script":"throw 'no';"},"Type":"PATCH"}"""),
        };
        Commands.Insert(random.Next(Commands.Count + 1), json);
        Kinds.Add(kind);
    }

    private void Say(string kind, string json)
    {
        Kinds.Add(kind);
        Commands.Add(json);
    }

    private string Id(string exceptFor = "")
    {
        string id;
        do
        {
            id = $"{(random.Next(3) == 0 ? "DOCS" : "docs")}/{scope}{random.Next(12)}";
        }
        while (TogetherModel.Key(id) == TogetherModel.Key(exceptFor));

        return id;
    }

    private string Name() => s_names[random.Next(s_names.Length)];

    private TogetherText Text() => new(s_collections[random.Next(s_collections.Length)], random.Next(1000), Time(), Time(), Time());

    private DateTime? Time() => random.Next(8) == 0 ? now.AddMinutes(random.Next(-5, 90)) : null;
}
