namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Functions and comparers for the parameters of Enumerable and List, over texts.</summary>
internal static class BaseLibraryFunctions
{
    private static readonly Dictionary<Type, BaseSample> s_samples = new[]
    {
        Make<Func<string, bool>>(x => x != "a", "x => x != \"a\""),
        Make<Predicate<string>>(x => x != "a", "x => x != \"a\""),
        Make<Func<string, int, bool>>((x, i) => i < 1, "(x, i) => i < 1"),
        Make<Func<string, string>>(x => x, "x => x"),
        Make<Converter<string, string>>(x => x, "x => x"),
        Make<Func<string, int, string>>((x, i) => x + i, "(x, i) => x + i"),
        Make<Func<string, string, string>>((a, b) => a + b, "(a, b) => a + b"),
        Make<Func<string, IEnumerable<string>>>(x => new[] { x, "z" }, "x => new[] { x, \"z\" }"),
        Make<Func<string, int, IEnumerable<string>>>((x, i) => new[] { x, "z" }, "(x, i) => new[] { x, \"z\" }"),
        Make<Func<string, IEnumerable<string>, string>>((a, b) => a + b.Count(), "(a, b) => a + b.Count()"),
        Make<Func<string, int>>(x => x.Length, "x => x.Length"),
        Make<Func<string, int?>>(x => x.Length, "x => x.Length"),
        Make<Func<string, long>>(x => x.Length, "x => x.Length"),
        Make<Func<string, long?>>(x => x.Length, "x => x.Length"),
        Make<Func<string, double>>(x => x.Length, "x => x.Length"),
        Make<Func<string, double?>>(x => x.Length, "x => x.Length"),
        Make<Func<string, float>>(x => x.Length, "x => x.Length"),
        Make<Func<string, float?>>(x => x.Length, "x => x.Length"),
        Make<Func<string, decimal>>(x => x.Length, "x => x.Length"),
        Make<Func<string, decimal?>>(x => x.Length, "x => x.Length"),
        Make<IEqualityComparer<string>>(StringComparer.OrdinalIgnoreCase, "StringComparer.OrdinalIgnoreCase"),
        Make<IComparer<string>>(StringComparer.Ordinal, "StringComparer.Ordinal"),
        Make<IEnumerable<(string, string)>>([("k", "v")], "new[] { (\"k\", \"v\") }"),
        Make<IOrderedEnumerable<string>>(new[] { "a", "b", "a" }.OrderBy(x => x), "o.Texts.OrderBy(x => x)"),
    }.ToDictionary(pair => pair.Type, pair => pair.Sample);

    public static IReadOnlyList<BaseSample>? Of(Type type) => s_samples.TryGetValue(type, out BaseSample? sample) ? [sample] : null;

    private static (Type Type, BaseSample Sample) Make<T>(T value, string text)
        where T : notnull => (typeof(T), new BaseSample(value, null, text));
}
