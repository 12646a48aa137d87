namespace Jackdaw.Client.Tests.Classes;

/// <summary>One way to write a class: how its members are set, how it is constructed, which collection, base class and id it has.</summary>
internal sealed record ClassForm(string Setter, string Constructor, string Kind, string Collection, string Base, string Id, bool IsRequired)
{
    public static readonly string[] Setters =
    [
        "set", "private set", "protected set", "internal set", "init", "private init", "get", "field", "block",
    ];

    public static readonly string[] Constructors =
    [
        "public", "private", "protected", "parameters", "private parameters", "private and parameters", "two", "other names", "converted",
    ];

    public static readonly string[] Kinds = ["class", "record"];

    /// <summary>Declarations of the member <c>Items</c>, and of how it gets one more element.</summary>
    public static readonly IReadOnlyDictionary<string, string> Collections = new Dictionary<string, string>
    {
        ["get-only list"] = "public List<string> Items { get; } = []; void Fill(string one) => Items.Add(one);",
        ["get-only HashSet"] = "public HashSet<string> Items { get; } = []; void Fill(string one) => Items.Add(one);",
        ["get-only ISet"] = "public ISet<string> Items { get; } = new HashSet<string>(); void Fill(string one) => Items.Add(one);",
        ["get-only IList"] = "public IList<string> Items { get; } = []; void Fill(string one) => Items.Add(one);",
        ["get-only ICollection"] = "public ICollection<string> Items { get; } = new HashSet<string>(); void Fill(string one) => Items.Add(one);",
        ["get-only SortedSet"] = "public SortedSet<string> Items { get; } = []; void Fill(string one) => Items.Add(one);",
        ["get-only LinkedList"] = "public LinkedList<string> Items { get; } = new(); void Fill(string one) => Items.AddLast(one);",
        ["get-only ObservableCollection"] = "public ObservableCollection<string> Items { get; } = []; void Fill(string one) => Items.Add(one);",
        ["get-only IReadOnlyList"] =
            "public IReadOnlyList<string> Items { get; } = new List<string>(); void Fill(string one) => ((List<string>)Items).Add(one);",
        ["list with a default"] = "public List<string> Items { get; } = [\"default\"]; void Fill(string one) => Items.Add(one);",
        ["IReadOnlyList of a field"] = "readonly List<string> _i = []; public IReadOnlyList<string> Items => _i; void Fill(string one) => _i.Add(one);",
        ["IReadOnlyCollection of a field"] =
            "readonly List<string> _items = []; public IReadOnlyCollection<string> Items => _items; void Fill(string one) => _items.Add(one);",
        ["IEnumerable of a field"] = "readonly List<string> m_x = []; public IEnumerable<string> Items => m_x; void Fill(string one) => m_x.Add(one);",
        ["AsReadOnly"] = "readonly List<string> _i = []; public IReadOnlyList<string> Items => _i.AsReadOnly(); void Fill(string one) => _i.Add(one);",
        ["lazy"] = "List<string>? _i; public IReadOnlyList<string> Items => _i ??= []; void Fill(string one) => (_i ??= []).Add(one);",
        ["IReadOnlyCollection of a set"] =
            "readonly HashSet<string> _i = new(StringComparer.Ordinal); public IReadOnlyCollection<string> Items => _i; void Fill(string one) => _i.Add(one);",
        ["ImmutableArray"] = "public ImmutableArray<string> Items { get; private set; } = []; void Fill(string one) => Items = Items.Add(one);",
        ["ImmutableList"] = "public ImmutableList<string> Items { get; private set; } = []; void Fill(string one) => Items = Items.Add(one);",
        ["array"] = "public string[] Items { get; private set; } = []; void Fill(string one) => Items = [.. Items, one];",
        ["get-only array"] = "public string[] Items { get; } = new string[2]; void Fill(string one) => Items[Items[0] is null ? 0 : 1] = one;",
        ["list with a private setter"] = "public List<string> Items { get; private set; } = []; void Fill(string one) => Items.Add(one);",
        ["list"] = "public List<string> Items { get; set; } = []; void Fill(string one) => Items.Add(one);",
    };

    public static readonly string[] Bases = ["none", "plain", "declared", "abstract", "generic"];

    /// <summary>Declarations of the id.</summary>
    public static readonly IReadOnlyDictionary<string, string> Ids = new Dictionary<string, string>
    {
        ["none"] = "",
        ["string"] = "public string? Id { get; set; }",
        ["string with a private setter"] = "public string? Id { get; private set; }",
        ["string with init"] = "public string? Id { get; init; }",
        ["get-only string"] = "public string? Id { get; }",
        ["string of the constructor"] = "public string Id { get; }",
        ["required string"] = "public required string Id { get; set; }",
        ["Guid"] = "public Guid Id { get; set; }",
        ["Guid with a private setter"] = "public Guid Id { get; private set; }",
        ["get-only Guid"] = "public Guid Id { get; } = Guid.NewGuid();",
        ["int"] = "public int Id { get; set; }",
        ["long with a private setter"] = "public long Id { get; private set; }",
        ["wrapped Guid"] = "public GuidId Id { get; set; }",
        ["wrapped number with a private setter"] = "public NumberId Id { get; private set; }",
        ["wrapped text"] = "public TextId? Id { get; set; } = new(Guid.NewGuid().ToString());",
        ["DocumentId"] = "[DocumentId] public string? Key { get; private set; }",
        ["ID"] = "public string? ID { get; set; }",
    };

    /// <summary>Whether the constructor that the program calls takes the values.</summary>
    public bool HasParameters => Constructor is not ("public" or "private" or "protected");

    /// <summary>Whether the constructor takes the id.</summary>
    public bool IsIdOfConstructor => Id == "string of the constructor";

    /// <summary>Whether the compiler accepts it.</summary>
    public bool IsPossible => (HasParameters || (Setter != "get" && !IsIdOfConstructor))
        && (!IsRequired || (Setter is "set" or "init" && Constructor == "public"))
        && (Id != "required string" || !HasParameters)
        && (Kind != "record" || Base is not ("plain" or "generic"));
}
