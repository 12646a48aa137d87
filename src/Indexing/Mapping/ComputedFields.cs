using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Settings;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Mapping;

/// <summary>The settings of the fields of an index, also of those whose names and options the documents bring. One thread; searches read
/// <see cref="IndexFields"/> meanwhile.</summary>
/// <remarks>
/// 1. All values of a name are indexed in one way, that of its first value: the terms of a field have one form, and searches analyse their
/// texts by it. A value that comes with another way is a mistake of its document.
/// 2. What is not said by the options of a value is said by the definition's options of the name, or of all fields.
/// 3. Settings that the definition alone does not give are written with the entries they came with (<see cref="Changed"/>).
/// </remarks>
/// <param name="definition">Null for an index that queries made: it has no such fields.</param>
/// <param name="analyzers">Those that users wrote.</param>
internal sealed class ComputedFields(IndexFields fields, IndexDefinition? definition, IndexingSettings settings, FindAnalyzer analyzers)
{
    /// <summary>Fields with options of their own in one index: each takes about a kilobyte of memory for as long as the index is open, and
    /// more are values that were taken for names.</summary>
    public const int FieldsMax = 10_000;

    // Every name that an entry has, so that the first value of a name can be told from later ones.
    private readonly Dictionary<string, IndexField> _known = new(StringComparer.Ordinal);
    private readonly List<IndexField> _computed = [];
    private readonly Dictionary<string, int> _positions = new(StringComparer.Ordinal);
    private readonly SortedSet<int> _changed = [];

    /// <summary>Settings that were found since <see cref="Reset"/> or <see cref="Saved"/>, with their positions.</summary>
    public IEnumerable<(int Position, IndexField Field)> Changed => _changed.Select(position => (position, _computed[position]));

    /// <summary>Begins from what is stored.</summary>
    /// <param name="computed">Settings by position.</param>
    /// <param name="indexed">All fields that entries have.</param>
    public void Reset(IEnumerable<IndexField> computed, IEnumerable<string> indexed)
    {
        foreach (IndexField field in _computed)
        {
            fields.RemoveComputed(field.Name);
        }

        _known.Clear();
        _computed.Clear();
        _positions.Clear();
        _changed.Clear();
        foreach (IndexField field in computed)
        {
            Set(field with { CustomAnalyzer = FieldSettings.Resolve(field.Analyzer, settings, analyzers) });
        }

        _changed.Clear();
        foreach (string name in indexed)
        {
            _known.TryAdd(name, fields.Find(name));
        }
    }

    /// <summary>What changed is committed.</summary>
    public void Saved() => _changed.Clear();

    /// <summary>The settings of a field that comes without options.</summary>
    public IndexField Find(string name)
    {
        if (!_known.TryGetValue(name, out IndexField? known))
        {
            _known.Add(name, known = fields.Find(name));
        }

        return known;
    }

    /// <summary>The settings of a field that comes with options.</summary>
    /// <exception cref="MapFailedException">They contradict those of earlier values, or are none.</exception>
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

        if (wanted == fields.Find(field.Name))
        {
            _known[field.Name] = wanted;
            return wanted;
        }

        if (_computed.Count == FieldsMax && !_positions.ContainsKey(field.Name))
        {
            throw Failed($"The index has {FieldsMax} fields with options of their own, '{field.Name}' would be one more: " +
                "give options in Fields of the definition, to '__all_fields' for all fields.");
        }

        Set(wanted);
        return wanted;
    }

    private void Set(IndexField field)
    {
        if (!_positions.TryGetValue(field.Name, out int position))
        {
            _positions.Add(field.Name, position = _computed.Count);
            _computed.Add(field);
        }

        _computed[position] = field;
        _changed.Add(position);
        _known[field.Name] = field;
        fields.SetComputed(field);
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
