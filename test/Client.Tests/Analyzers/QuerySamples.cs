namespace Jackdaw.Client.Tests.Analyzers;

/// <summary>Queries, with a piece of the message that the rule gives; null: it says nothing.</summary>
internal static class QuerySamples
{
    /// <summary>Around the queries.</summary>
    public const string Program = """
        using System.Text.RegularExpressions;
        using Jackdaw.Client.Linq;
        using Jackdaw.Client.Sessions;

        public enum Role { Reader, Admin }
        public sealed class Place { public string City { get; set; } = ""; public int Floor; }
        public sealed class Line { public string Product { get; set; } = ""; public int Quantity { get; set; } public int Packed { get; set; } }
        public sealed class Names { public int Count { get; set; } public int Length { get; set; } }
        public sealed class Item
        {
            public string Id { get; set; } = ""; public string? Name { get; set; } public string? Other { get; set; } public int Age { get; set; }
            public int? Score { get; set; } public decimal Rate { get; set; } public bool IsOpen { get; set; } public bool? Flag { get; set; }
            public DateTime At { get; set; } public DateTime? Ended { get; set; } public Role Role { get; set; } public char Grade { get; set; }
            public List<string> Tags { get; set; } = []; public List<Line> Lines { get; set; } = []; public Place Place { get; set; } = new();
            public Names Names { get; set; } = new(); public Dictionary<string, int> Map { get; set; } = [];
        }

        public static class Samples
        {
            private static readonly string text = "part"; private static readonly int five = 5; private static readonly bool yes = true;
            private static readonly string[] list = ["a", "b"]; private static readonly Item other = new() { Tags = ["t"] };
            private static bool IsGood(string? name) => name == "good";
            private static int Twice(int number) => number * 2;
        """;

    public static IReadOnlyList<(string Query, string? Says)> All { get; } =
    [
        ("q.Where(x => text.Contains(x.Name!))", "Compute the value in an index"),
        ("q.Where(x => x.Name!.ToLower() == text)", "Leave the call out"),
        ("q.Where(x => text == x.Name!.ToUpperInvariant())", "Leave the call out"),
        ("q.Where(x => x.Age + 1 > 5)", "Compute the value in an index"),
        ("q.Where(x => five < x.Age * 2)", "Compute the value in an index"),
        ("q.Where(x => x.Name + \"x\" == text)", "Compute the value in an index"),
        ("q.Where(x => x.Map.Count > 3)", "'none or some' is list.Any(...)"),
        ("q.Where(x => x.Lines.Count(l => l.Quantity > 1) == 2)", "'none or some' is list.Any(...)"),
        ("q.Where(x => x.At.DayOfWeek == DayOfWeek.Friday)", "Compute the value in an index"),
        ("q.Where(x => x.Name == x.Other)", "Filter(...)"),
        ("q.Where(x => x.Age >= x.Place.Floor)", "Filter(...)"),
        ("q.Where(x => Math.Abs(x.Age) > 3)", "Compute the value in an index"),
        ("q.Where(x => IsGood(x.Name))", "Compute the value in an index"),
        ("q.Where(x => Twice(x.Age) == five)", "Compute the value in an index"),
        ("q.Where(x => x.Name!.Trim() == text)", "Compute the value in an index"),
        ("q.Where(x => char.IsDigit(x.Grade))", "Compute the value in an index"),
        ("q.Where(x => x.Tags.Exists(t => t == text))", "Compute the value in an index"),
        ("q.Where(x => x.Tags.SequenceEqual(list))", "Compute the value in an index"),
        ("q.Where(x => list.Contains(x.Name, StringComparer.Ordinal))", "without casing"),
        ("q.Where(x => Regex.IsMatch(x.Name!, \"^a\", RegexOptions.IgnoreCase))", "(?i)"),
        ("q.Filter(x => x.Name!.Trim() == text)", "Compute the value in an index"),
        ("q.First(x => x.Name!.Trim() == text)", "Compute the value in an index"),
        ("from x in q where x.Name!.Trim() == text orderby x.Age select x", "Compute the value in an index"),
        ("q.Where(x => x.Lines.Any(l => l.Product.Trim() == text))", "Compute the value in an index"),
        ("q.Where(x => new Regex(\"^a\").IsMatch(x.Name!))", "(?i)"),
        ("q.Where((x, i) => i > 3)", "Skip and Take"),
        ("q.Take(5).Where(x => x.Age > 1)", "Skip and Take after"),
        ("q.Skip(5).OrderBy(x => x.Age)", "Skip and Take after"),
        ("q.Take(5).VectorSearch(x => x.Tags, v => v.ForDocument(\"a\"))", "Skip and Take after"),
        ("q.VectorSearch(x => x.Age + 1, v => v.ForDocument(\"a\"))", "A vector is a field"),
        ("q.VectorSearch(f => f.WithEmbedding(x => x.Age + 1), v => v.ForDocument(\"a\"))", "A vector is a field"),
        ("q.VectorSearch(x => x.Tags, v => v.ForDocument(\"a\")).Where(x => x.Age + 1 > 2)", "in an index"),
        ("q.OrderBy(x => x.Age + 1)", "order by its field"),
        ("q.OrderByDescending(x => x.Name!.ToLower())", "order by its field"),
        ("q.OrderBy(x => x.Name, StringComparer.Ordinal)", "Leave it out"),
        ("q.Join(q, x => x.Name, y => y.Name, (x, y) => x.Name)", "DocQuery.Load"),
        ("q.Union(q)", "|| or &&"),
        ("q.SelectMany(x => x.Tags)", "x => x.List"),
        ("q.Reverse()", "OrderByDescending"),
        ("q.DistinctBy(x => x.Name)", "in the program"),
        ("q.Where(x => x.Age > 5).Last()", "Reverse the order"),
        ("q.Select(x => new { x.Name, N = Twice(x.Age) })", "compute it in the program"),
        ("q.Where(x => x.Age > 5).Select(x => IsGood(x.Name))", "compute it in the program"),
        ("q.Select(x => x.Name).Distinct().Count()", "GroupBy(x => x.Field).Count()"),
        ("q.GroupBy(x => x.Name!.ToLower()).Select(g => g.Key)", "A key is a field"),
        ("q.GroupBy(x => Twice(x.Age)).Select(g => g.Key)", "A key is a field"),
        ("q.GroupBy(x => x.Name).Select(g => new { g.Key, Oldest = g.Max(x => x.Age) })", "map-reduce index"),
        ("q.GroupBy(x => x.Name).Select(g => new { g.Key, N = g.Count(x => x.IsOpen) })", "map-reduce index"),
        ("q.Where(x => x.Name == text).GroupBy(x => x.Name).Select(g => g.Where(x => x.IsOpen).Sum(x => x.Age))", "map-reduce index"),
        ("q.GroupBy(x => x.Name).First()", "Select what is wanted"),

        ("q", null),
        ("q.Where(x => x.Name == \"a\" && x.Age > 5 || !x.IsOpen)", null),
        ("q.Where(x => x.Name!.StartsWith(text) || x.Name.EndsWith(\"z\", StringComparison.Ordinal))", null),
        ("q.Where(x => string.IsNullOrEmpty(x.Name) || string.IsNullOrWhiteSpace(x.Other))", null),
        ("q.Where(x => x.Name == text.ToLower() && x.Age == five + 1 && x.Age > list.Length)", null),
        ("q.Where(x => list.Contains(x.Name) && x.Tags.Contains(text) && other.Tags.Contains(x.Name))", null),
        ("q.Where(x => x.Name.In(list) && x.Tags.ContainsAny(list) && x.Map.ContainsKey(\"k\"))", null),
        ("q.Where(x => x.Tags.Any() && x.Tags.Any(t => t == text) && x.Lines.Any(l => l.Quantity >= 1 && l.Quantity <= 9))", null),
        ("q.Where(x => x.Lines.Any(l => l.Quantity > 5 || l.Product == text))", null),
        ("q.Where(x => x.Names.Count > 3 && x.Names.Length == 2)", null),
        ("q.Where(x => x.Score.HasValue && x.Score.Value > 5 && x.Score < five)", null),
        ("q.Where(x => (x.Flag ?? false) && x.IsOpen == true && x.Role == Role.Admin && x.Grade == 'a')", null),
        ("q.Where(x => string.Compare(x.Name, \"m\") > 0 && x.Name!.CompareTo(text) < 0)", null),
        ("q.Where(x => Regex.IsMatch(x.Name!, \"^a\") && x.At > DateTime.MinValue.AddDays(five))", null),
        ("q.Where(x => x.Name!.Equals(text) && string.Equals(x.Other, text, StringComparison.OrdinalIgnoreCase))", null),
        ("q.Where(x => yes && x.Lines[0].Product == text && x.Map[\"k\"] == 1)", null),
        ("q.Where(x => text.Contains(\"a\") || x.Age == Twice(five))", null),
        ("q.Filter(x => x.Name == x.Other && x.Age > 1)", null),
        ("q.Select(x => new { x.Name, Long = x.Age + 1, Big = x.Name!.ToUpper(), N = x.Tags.Count })", null),
        ("q.Select(x => new { Name = text, x.Age }).Where(x => x.Name.Contains(\"a\"))", null),
        ("q.OrderBy(x => x.Age).ThenByDescending(x => x.Place.City).Skip(5).Take(10)", null),
        ("q.Where(x => x.Age > 1).Take(10).Select(x => x.Name)", null),
        ("q.VectorSearch(x => x.Tags, v => v.ForDocument(text)).Where(x => x.Age > 1).Take(10)", null),
        ("q.VectorSearch(f => f.WithBase64(x => x.Place.City).TargetQuantization(Jackdaw.Client.Vectors.EmbeddingType.Int8), v => v.ByBase64(text))", null),
        ("q.GroupBy(x => x.Name).Select(g => new { g.Key, N = g.Count(), S = g.Sum(x => x.Age) })", null),
        ("q.Select(x => x.Name).Distinct()", null),
        ("q.Select(x => new { x.Name, N = Twice(five) })", null),
        ("q.GroupBy(x => new { x.Name, x.Age }).Select(g => new { g.Key.Name, N = g.LongCount(), A = g.Average(x => x.Rate) })", null),
        ("q.Where(x => true)", null),
        ("q.Where(x => x.Tags.Count > 3 && x.Tags.Count() == five && x.Name!.Length > 5).OrderBy(x => x.Tags.Count)", null),
        ("q.Where(x => x.At.Year == 2024 && x.Ended!.Value.Month <= 5)", null),
        ("q.GroupBy(x => x.At.Year).Select(g => new { g.Key, N = g.Count() })", null),
        ("q.Where(x => x.Name!.Contains(text) && !x.Place.City.Contains('a') && x.Role >= Role.Admin)", null),
        ("q.Where(x => (x.Score ?? 0) > 5 && (x.IsOpen ? x.Age > 5 : x.Age < 5) && x.At.Date == DateTime.MinValue)", null),
        ("q.Where(x => x.Tags.Count > 0 && 0 == x.Lines.Count() && x.Lines.Count(l => l.Quantity > 1) >= 1)", null),
        ("q.Where(x => x.Tags.All(t => t == text) && x.Tags.Any(t => t != text && t != \"a\"))", null),
        ("q.Where(x => x.Lines.Any(l => l.Product == text && l.Quantity == five && l.Quantity > l.Packed))", null),
        ("q.OfType<Item>().Where(x => x.Name == text).Cast<Item>()", null),
        ("from x in q let n = x.Name where n == text orderby x.Age select new { n, x.Age }", null),
        ("q.Search(x => x.Name, \"*part*\").OrderByScore()", null),
    ];
}
