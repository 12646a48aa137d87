using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Tape;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Server.Tests.Documents.Extensions;

/// <summary>Labels that an answer brings along: <c>"LabelIncludes":{"users/1":{"color":"red"}}</c>.</summary>
internal sealed class IncludedLabels(IReadOnlyList<ExtensionInclude> includes) : IInclude
{
    private readonly JsonTape _tape = new();
    private readonly List<(string Id, ExtensionInclude Include)> _wanted = [];

    public void Dispose() => _tape.Dispose();

    public void Collect(DocumentReadScope read, in StoredDocument document)
    {
        string id = Encoding.UTF8.GetString(document.Id);
        TapeValue body = _tape.ReadStored(document.Body, document.Id);
        foreach (ExtensionInclude include in includes)
        {
            if (include.Path is null)
            {
                _wanted.Add((id, include));
            }
            else
            {
                IncludePaths.Collect(body, include.Path, other => _wanted.Add((other, include)));
            }
        }
    }

    public bool Write(RenewedRead read, ResponseBuffer body, ref VersionHash hash)
    {
        Table labels = LabelTable.Open(read.Scope.Transaction);
        body.Append(",\"LabelIncludes\":"u8);
        using var json = new Utf8JsonWriter(body);
        json.WriteStartObject();
        foreach ((string id, ExtensionInclude include) in _wanted)
        {
            json.WriteStartObject(id);
            foreach ((_, Label label) in LabelTable.List(labels, DocumentKey.Make(id)))
            {
                if (include.Names.Count == 0 || include.Names.Contains(label.Name))
                {
                    json.WriteString(label.Name, label.Text);
                    hash.Add(label.Etag);
                }
            }

            json.WriteEndObject();
        }

        json.WriteEndObject();
        return true;
    }
}
