using System.Text.Json;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>Reads the value of a notice of a change. It throws the same exceptions as <see cref="NoticeParser"/>.</summary>
internal static class ChangeReader
{
    /// <returns>Null if this version does not know the type.</returns>
    public static ChangeItem? TryRead(string? type, Utf8JsonReader value, bool hasValue) => type switch
    {
        "DocumentChange" => OfDocument(Checked(value, hasValue)),
        "IndexChange" => OfIndex(Checked(value, hasValue)),
        "CounterChange" => OfCounter(Checked(value, hasValue)),
        "OperationStatusChange" => OfOperation(Checked(value, hasValue)),
        "Gap" => OfGap(Checked(value, hasValue)),
        _ => null,
    };

    private static Utf8JsonReader Checked(Utf8JsonReader value, bool hasValue)
    {
        if (!hasValue)
        {
            throw new JsonException("A notice of a change has no value.");
        }

        NoticeParser.Begin(value);
        return value;
    }

    private static DocumentChange OfDocument(Utf8JsonReader json)
    {
        Members members = Read(ref json);
        return new DocumentChange
        {
            Type = Kind<DocumentChangeTypes>(members.Type),
            Id = members.Id ?? throw Missing("Id"),
            CollectionName = members.CollectionName,
            ChangeVector = members.ChangeVector,
            Etag = members.Etag,
        };
    }

    private static IndexChange OfIndex(Utf8JsonReader json)
    {
        Members members = Read(ref json);
        return new IndexChange { Type = Kind<IndexChangeTypes>(members.Type), Name = members.Name ?? throw Missing("Name") };
    }

    private static CounterChange OfCounter(Utf8JsonReader json)
    {
        Members members = Read(ref json);
        return new CounterChange
        {
            Type = Kind<CounterChangeTypes>(members.Type),
            Name = members.Name ?? throw Missing("Name"),
            Value = members.Value,
            DocumentId = members.DocumentId ?? throw Missing("DocumentId"),
            CollectionName = members.CollectionName,
            ChangeVector = members.ChangeVector,
            Etag = members.Etag,
        };
    }

    private static ChangesGap OfGap(Utf8JsonReader json)
    {
        Members members = Read(ref json);
        return new ChangesGap { Reason = ChangesGapReason.LeftOutByServer, After = members.After, Last = members.Last };
    }

    private static OperationStatusChange OfOperation(Utf8JsonReader json)
    {
        Members members = Read(ref json);
        return new OperationStatusChange
        {
            OperationId = members.OperationId ?? throw Missing("OperationId"),
            State = members.State ?? throw Missing("State"),
        };
    }

    private static Members Read(ref Utf8JsonReader json)
    {
        Members members = default;
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            Take(ref json, ref members);
        }

        return members;
    }

    private static void Take(ref Utf8JsonReader json, ref Members members)
    {
        switch (json.GetString())
        {
            case "Type":
                members.Type = NoticeParser.Text(ref json);
                break;
            case "Id":
                members.Id = NoticeParser.Text(ref json);
                break;
            case "Name":
                members.Name = NoticeParser.Text(ref json);
                break;
            case "DocumentId":
                members.DocumentId = NoticeParser.Text(ref json);
                break;
            case "CollectionName":
                members.CollectionName = NoticeParser.Text(ref json);
                break;
            case "ChangeVector":
                members.ChangeVector = NoticeParser.Text(ref json);
                break;
            case "Etag":
                members.Etag = NoticeParser.Number(ref json);
                break;
            case "Value":
                members.Value = NoticeParser.Number(ref json);
                break;
            case "After":
                members.After = NoticeParser.Number(ref json);
                break;
            case "Last":
                members.Last = NoticeParser.Number(ref json);
                break;
            case "OperationId":
                members.OperationId = NoticeParser.Number(ref json);
                break;
            case "State":
                members.State = StateOf(ref json);
                break;
            default:
                json.Skip();
                break;
        }
    }

    private static OperationState StateOf(ref Utf8JsonReader json)
    {
        json.Read();
        NoticeParser.Begin(json);
        var state = new OperationState();
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            string member = json.GetString()!;
            if (member == "Status")
            {
                state = state with { Status = Kind<OperationStatus>(NoticeParser.Text(ref json)) };
                continue;
            }

            json.Read();
            JsonElement? value = json.TokenType == JsonTokenType.Null ? null : JsonElement.ParseValue(ref json);
            state = member switch
            {
                "Progress" => state with { Progress = value },
                "Result" => state with { Result = value },
                _ => state,
            };
        }

        return state;
    }

    // Only names are accepted, not numbers in texts.
    private static T Kind<T>(string? name) where T : struct, Enum =>
        name is { Length: > 0 } && char.IsAsciiLetter(name[0]) && !name.Contains(',', StringComparison.Ordinal) && Enum.TryParse(name, out T kind)
            ? kind
            : default;

    private static JsonException Missing(string member) => new($"A notice of a change has no {member}.");

    /// <summary>The members of all kinds of changes.</summary>
    private struct Members
    {
        public string? Type;
        public string? Id;
        public string? Name;
        public string? DocumentId;
        public string? CollectionName;
        public string? ChangeVector;
        public long? Etag;
        public long Value;
        public long? After;
        public long? Last;
        public long? OperationId;
        public OperationState? State;
    }
}
