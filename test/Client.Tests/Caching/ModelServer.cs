using System.Text;
using Jackdaw.Client.Caching;
using Jackdaw.Client.Http;

namespace Jackdaw.Client.Tests.Caching;

/// <summary>A server with a few documents, one index that is behind them, and the whole history of its answers.</summary>
internal sealed class ModelServer
{
    public const string IndexName = "ByValue";
    public const string Database = "model";

    private readonly SortedDictionary<string, (string Collection, int Value, string Refers)> _documents = new(StringComparer.Ordinal);
    private List<string> _indexed = [];

    public ModelServer()
    {
        Record();
    }

    /// <summary>Every question that it answers, with its answer after each change.</summary>
    public List<Dictionary<string, string>> History { get; } = [];

    /// <summary>What each answer depended on, after each change.</summary>
    public List<Dictionary<string, AnswerTag[]>> Dependencies { get; } = [];

    /// <summary>Changes so far.</summary>
    public int Now => History.Count - 1;

    /// <summary>Who is told of changes; null while nobody is connected.</summary>
    public Action<Notice>? Tell { get; set; }

    public static string[] Ids { get; } = ["a/1", "a/2", "b/1"];

    public static string[] Questions { get; } =
        ["doc a/1", "doc a/2", "doc b/1", "doc+ref a/1", "doc+ref a/2", "from A", "from B", "from @all_docs", "index " + IndexName];

    /// <summary>A question as a refresher gets it; the model's own source answers by the key.</summary>
    public static KeptAnswer Kept(in AnswerKey key, CachedAnswer answer) =>
        new(key, answer, new RequestMessage { Method = HttpMethod.Get, Path = key.PathAndQuery }, static (_, _) => { });

    public static AnswerKey KeyOf(string question) => new(Database, "GET", question);

    public void Put(string id, int value, string refers)
    {
        _documents[id] = (CollectionOf(id), value, refers);
        Changed(id);
    }

    public void Delete(string id)
    {
        if (_documents.Remove(id))
        {
            Changed(id);
        }
    }

    /// <summary>The index reads what it has not read yet.</summary>
    public void RunIndex()
    {
        List<string> found = [.. _documents.Where(document => document.Value.Value >= 5).Select(document => document.Key)];
        if (!found.SequenceEqual(_indexed))
        {
            _indexed = found;
            Record();
            Tell?.Invoke(new(Now, null, null, IndexName));
        }
    }

    /// <summary>A change of which only is told that there was one.</summary>
    public void PutWithoutDetails(string id, int value)
    {
        _documents[id] = (CollectionOf(id), value, "");
        Record();
        Tell?.Invoke(new(Now, null, null, null));
    }

    /// <summary>Answers a question as the server does: 304 when the ETag is that of the answer, which is its text.</summary>
    public (int Status, byte[] Body, string? ETag, AnswerTag[] Tags, int At) Answer(string question, string? etag)
    {
        string text = History[Now][question];
        int status = text == "404" ? 404 : text == etag ? 304 : 200;
        return (status, Encoding.UTF8.GetBytes(text), status == 404 ? null : text, Dependencies[Now][question], Now);
    }

    private static string CollectionOf(string id) => id[..1].ToUpperInvariant();

    private void Changed(string id)
    {
        Record();
        Tell?.Invoke(new(Now, id, CollectionOf(id), null));
    }

    private void Record()
    {
        History.Add(Questions.ToDictionary(question => question, TextOf));
        Dependencies.Add(Questions.ToDictionary(question => question, TagsOf));
    }

    private string TextOf(string question)
    {
        string rest = question[(question.IndexOf(' ', StringComparison.Ordinal) + 1)..];
        return question switch
        {
            _ when question.StartsWith("doc ", StringComparison.Ordinal) => Show(rest, "404"),
            _ when question.StartsWith("doc+ref", StringComparison.Ordinal) =>
                _documents.TryGetValue(rest, out var document) ? $"{Show(rest, "")}+{Show(document.Refers, "none")}" : "404",
            "from @all_docs" => question + ":" + ShowAll(_documents.Where(document => document.Value.Value >= 3).Select(document => document.Key)),
            _ when question.StartsWith("from", StringComparison.Ordinal) =>
                question + ":" + ShowAll(_documents.Where(pair => pair.Value.Collection == rest && pair.Value.Value >= 3).Select(pair => pair.Key)),
            _ => question + ":" + ShowAll(_indexed),
        };
    }

    private string ShowAll(IEnumerable<string> ids) => string.Join(',', ids.Select(id => Show(id, id + " gone")));

    private string Show(string id, string otherwise) => _documents.TryGetValue(id, out var document) ? $"{id}={document.Value}>{document.Refers}" : otherwise;

    private AnswerTag[] TagsOf(string question)
    {
        var tags = new AnswerTags();
        string rest = question[(question.IndexOf(' ', StringComparison.Ordinal) + 1)..];
        if (question.StartsWith("doc", StringComparison.Ordinal))
        {
            tags.AddDocument(rest);
            if (question.StartsWith("doc+ref", StringComparison.Ordinal) && _documents.TryGetValue(rest, out var document))
            {
                tags.AddDocument(document.Refers);
            }
        }
        else if (question == "from @all_docs")
        {
            tags.AddAllDocuments();
        }
        else if (question.StartsWith("from", StringComparison.Ordinal))
        {
            tags.AddCollection(rest);
        }
        else
        {
            tags.AddIndex(rest);
            _indexed.ForEach(id => tags.AddDocument(id));
        }

        return tags.ToArray();
    }

    /// <summary>What is told of a change: all null when nothing is said of it.</summary>
    internal sealed record Notice(int At, string? Id, string? Collection, string? Index);
}
