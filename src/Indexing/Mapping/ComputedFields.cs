using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Settings;
using Jackdaw.Search;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Mapping;

/// <summary>The settings of the fields of an index, including fields whose names and options come with documents. One thread: the one that
/// writes the index.</summary>
/// <remarks>
/// 1. All values of a field are indexed in the same way as its first value, because searches analyse their texts by the settings of the field.
/// A value with other settings is a mistake of its document.
/// 2. Options that a value does not have come from the definition's options of the field, or of all fields.
/// 3. Settings that do not follow from the definition alone are written with the entries that brought them (<see cref="Changed"/>).
/// </remarks>
/// <param name="index">Gets the settings.</param>
/// <param name="defined">The settings of the definition.</param>
/// <param name="definition">Null for an auto index, which has no such fields.</param>
/// <param name="analyzers">Finds the analyzers that users wrote.</param>
internal sealed class ComputedFields(
    SearchIndex index, IndexFields defined, IndexDefinition? definition, IndexingSettings settings, FindAnalyzer analyzers)
{
    /// <summary>Fields with their own options in one index. Each takes about a kilobyte of memory as long as the index is open, and an index
    /// with more has taken values for names.</summary>
    public const int FieldsMax = 10_000;

    // Every field that an entry has, to distinguish the first value of a field from later ones.
    private readonly Dictionary<string, IndexField> _known = new(StringComparer.Ordinal);
    private readonly List<IndexField> _computed = [];
    private readonly Dictionary<string, int> _positions = new(StringComparer.Ordinal);
    private readonly SortedSet<int> _changed = [];

    /// <summary>Settings that were found since <see cref="Reset"/> or <see cref="Saved"/>, with their positions.</summary>
    public IEnumerable<(int Position, IndexField Field)> Changed => _changed.Select(position => (position, _computed[position]));

    /// <summary>Begins with what is stored.</summary>
    /// <param name="computed">Settings by position.</param>
    /// <param name="indexed">The names of all fields that entries have.</param>
    public void Reset(IEnumerable<IndexField> computed, IEnumerable<string> indexed)
    {
        _known.Clear();
        _computed.Clear();
        _positions.Clear();
        _changed.Clear();
        IndexFields fields = defined;
        foreach (IndexField stored in computed)
        {
            IndexField field = stored with { CustomAnalyzer = FieldSettings.Resolve(stored.Analyzer, settings, analyzers) };
            Add(field);
            fields = fields.With(field);
        }

        index.Fields = fields;
        _changed.Clear();
        foreach (string name in indexed)
        {
            _known.TryAdd(name, index.Fields.Find(name));
        }
    }

    /// <summary>Notes that what changed is committed.</summary>
    public void Saved() => _changed.Clear();

    /// <summary>The settings of a field that comes without options.</summary>
    public IndexField Find(string name)
    {
        if (!_known.TryGetValue(name, out IndexField? known))
        {
            _known.Add(name, known = index.Fields.Find(name));
        }

        return known;
    }

    /// <summary>The settings of a field that comes with options.</summary>
    /// <exception cref="MapFailedException">The options contradict those of earlier values, or do not exist.</exception>
    public IndexField Find(DynamicField field)
    {
        if (field is { Indexing: null, IsStored: null, TermVector: null })
        {
            return Find(field.Name);
        }

        bool isKnown = _known.TryGetValue(field.Name, out IndexField? known);
        IndexField wanted = FieldSettings.ToField(field.Name, OptionsOf(field).Over(DefinedOptions(field.Name)), settings, analyzers);
        if (isKnown && field.Indexing is not null && (wanted.Indexing != known!.Indexing || wanted.Analyzer != known.Analyzer))
        {
            throw Failed($"Field '{field.Name}' comes with indexing '{field.Indexing}', and its earlier values were indexed as " +
                $"{NameOf(known.Indexing)}: give one name the same options everywhere, and reset the index after that.");
        }

        if (isKnown)
        {
            wanted = known! with { IsStored = known.IsStored || wanted.IsStored };
        }

        if (wanted == index.Fields.Find(field.Name))
        {
            _known[field.Name] = wanted;
            return wanted;
        }

        if (_computed.Count == FieldsMax && !_positions.ContainsKey(field.Name))
        {
            throw Failed($"The index has {FieldsMax} fields with options of their own, '{field.Name}' would be one more: " +
                "give options in Fields of the definition, to '__all_fields' for all fields.");
        }

        Add(wanted);
        index.Fields = index.Fields.With(wanted);
        return wanted;
    }

    private void Add(IndexField field)
    {
        if (!_positions.TryGetValue(field.Name, out int position))
        {
            _positions.Add(field.Name, position = _computed.Count);
            _computed.Add(field);
        }

        _computed[position] = field;
        _changed.Add(position);
        _known[field.Name] = field;
    }

    private IndexFieldOptions? DefinedOptions(string name)
    {
        IndexFieldOptions? all = definition?.Fields.GetValueOrDefault(IndexDefinition.AllFields);
        return definition?.Fields.GetValueOrDefault(name)?.Over(all) ?? all;
    }

    private static IndexFieldOptions OptionsOf(DynamicField field) => new()
    {
        Indexing = Read<FieldIndexingOption>(field, field.Indexing, "indexing"),
        TermVector = Read<FieldTermVectorOption>(field, field.TermVector, "termVector"),
        IsStored = field.IsStored,
    };

    private static T? Read<T>(DynamicField field, string? text, string option)
        where T : struct, Enum
    {
        if (text is null)
        {
            return null;
        }

        return Enum.TryParse(text, ignoreCase: true, out T value) && Enum.IsDefined(value) && !char.IsAsciiDigit(text[0])
            ? value
            : throw Failed($"Field '{field.Name}' has {option} '{text}': give one of {string.Join(", ", Enum.GetNames<T>())}.");
    }

    private static string NameOf(IndexingMode mode) => mode switch
    {
        IndexingMode.Text => "full text (Search)",
        IndexingMode.Exact => "Exact",
        IndexingMode.None => "No",
        _ => "Default",
    };

    private static MapFailedException Failed(string message) => new(new InvalidOperationException(message));
}
