using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Queries.Language;
using Jackdaw.Server.Http.Reading;

namespace Jackdaw.Server.Http.Handlers.Previews;

/// <summary>The members that some documents have, their kinds, and examples. One thread at a time.</summary>
internal sealed class FieldSample
{
    /// <summary>Paths that are kept: a document may have thousands of members, and a person reads some of them.</summary>
    public const int PathsMax = 1000;

    private const int ExamplesMax = 5;

    /// <summary>Levels of objects that are looked into; what is deeper is data, not structure.</summary>
    private const int DepthMax = 8;

    /// <summary>Elements of an array that are looked at.</summary>
    private const int ElementsMax = 1000;

    private const string ElementMark = "[]";

    private readonly Dictionary<string, Field> _fields = [];
    private readonly List<Field> _inOrder = [];

    /// <summary>Documents that were read.</summary>
    public int Documents { get; private set; }

    /// <summary>Whether there were more paths, or more elements of an array, than are looked at.</summary>
    public bool IsCut { get; private set; }

    /// <summary>Reads one document.</summary>
    public void Add(ReadOnlySpan<byte> body)
    {
        Documents++;
        Utf8JsonReader reader = DocumentMembers.Open(body);
        while (DocumentMembers.MoveNext(ref reader))
        {
            AddMember(ref reader, parent: null, 1);
        }
    }

    /// <summary>The fields in the order in which they were first seen.</summary>
    public IEnumerable<SampledField> Fields =>
        _inOrder.Select(one => new SampledField(one.Place.Path, one.Place.InQuery, one.Place.Last, one.Kind, one.Examples));

    /// <summary>Writes the fields in the order in which they were first seen.</summary>
    public void Write(Utf8JsonWriter json)
    {
        json.WriteStartArray("Fields"u8);
        foreach (Field field in _inOrder)
        {
            field.Write(json);
        }

        json.WriteEndArray();
    }

    private void AddMember(ref Utf8JsonReader reader, FieldPlace? parent, int depth)
    {
        string? name = DocumentMembers.NameOf(ref reader);
        reader.Read();
        if (name is null)
        {
            reader.Skip();
        }
        else
        {
            AddValue(ref reader, FieldPlace.Of(parent, name), depth);
        }
    }

    private void AddValue(ref Utf8JsonReader reader, FieldPlace place, int depth)
    {
        Find(place)?.Add(ref reader, Documents);
        if (depth >= DepthMax)
        {
            reader.Skip();
        }
        else if (reader.TokenType == JsonTokenType.StartObject)
        {
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                AddMember(ref reader, place, depth + 1);
            }
        }
        else if (reader.TokenType == JsonTokenType.StartArray)
        {
            AddElements(ref reader, place.Element, depth + 1);
        }
    }

    private void AddElements(ref Utf8JsonReader reader, FieldPlace place, int depth)
    {
        for (int i = 0; reader.Read() && reader.TokenType != JsonTokenType.EndArray; i++)
        {
            if (i < ElementsMax)
            {
                AddValue(ref reader, place, depth);
            }
            else
            {
                IsCut = true;
                reader.Skip();
            }
        }
    }

    private Field? Find(FieldPlace place)
    {
        if (_fields.TryGetValue(place.Path, out Field? field))
        {
            return field;
        }

        if (_fields.Count >= PathsMax)
        {
            IsCut = true;
            return null;
        }

        _fields.Add(place.Path, field = new Field(place));
        _inOrder.Add(field);
        return field;
    }

    /// <param name="Path">Names with dots between them.</param>
    /// <param name="InQuery">The same as queries write it: with quotes where a name needs them.</param>
    /// <param name="Last">The last part of it.</param>
    private readonly record struct FieldPlace(string Path, string InQuery, string Last)
    {
        public static FieldPlace Of(FieldPlace? parent, string name) => parent is { } known
            ? new FieldPlace($"{known.Path}.{name}", $"{known.InQuery}.{QueryNames.Part(name)}", QueryNames.Part(name))
            : new FieldPlace(name, QueryNames.First(name), QueryNames.First(name));

        public FieldPlace Element => new(Path + ElementMark, InQuery + ElementMark, Last + ElementMark);
    }

    private sealed class Field(FieldPlace place)
    {
        private readonly SortedDictionary<string, int> _kinds = new(StringComparer.Ordinal);
        private readonly List<FieldExample> _examples = [];
        private int _documents;
        private int _lastDocument;

        public FieldPlace Place => place;

        public string Kind => string.Join(" or ", _kinds.Keys);

        public IReadOnlyList<FieldExample> Examples => _examples;

        public void Add(ref Utf8JsonReader reader, int document)
        {
            _documents += document == _lastDocument ? 0 : 1;
            _lastDocument = document;
            string kind = KindOf(reader.TokenType);
            _kinds[kind] = _kinds.GetValueOrDefault(kind) + 1;
            bool isScalar = reader.TokenType is JsonTokenType.String or JsonTokenType.Number or JsonTokenType.True or JsonTokenType.False;
            if (isScalar && _examples.Count < ExamplesMax && reader.ValueSpan.Length <= CellText.BytesMax)
            {
                bool isText = reader.TokenType == JsonTokenType.String;
                var example = new FieldExample(isText ? reader.GetString()! : Encoding.UTF8.GetString(reader.ValueSpan), isText);
                if (!_examples.Contains(example))
                {
                    _examples.Add(example);
                }
            }
        }

        public void Write(Utf8JsonWriter json)
        {
            json.WriteStartObject();
            json.WriteString("Path"u8, place.Path);
            json.WriteNumber("Documents"u8, _documents);
            json.WriteStartObject("Kinds"u8);
            foreach ((string kind, int count) in _kinds)
            {
                json.WriteNumber(kind, count);
            }

            json.WriteEndObject();
            JsonAnswers.WriteTexts(json, "Examples", _examples.Select(example => example.Value));
            json.WriteEndObject();
        }

        private static string KindOf(JsonTokenType token) => token switch
        {
            JsonTokenType.String => "String",
            JsonTokenType.Number => "Number",
            JsonTokenType.True or JsonTokenType.False => "Boolean",
            JsonTokenType.StartObject => "Object",
            JsonTokenType.StartArray => "Array",
            _ => "Null",
        };
    }
}
