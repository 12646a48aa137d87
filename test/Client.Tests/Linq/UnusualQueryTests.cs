using System.Text.RegularExpressions;
using Jackdaw.Client.DocumentQueries;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>Types whose texts or numbers in documents are not compared, ordered and computed as the values of C#: a query gives what LINQ to objects
/// gives, or is refused. None finds other rows, or nothing.</summary>
public sealed class UnusualQueryTests : IAsyncLifetime
{
    private static readonly Reading[] s_all =
    [
        .. Enumerable.Range(0, 12).Select(i => new Reading
        {
            Number = i, Name = i % 3 == 0 ? "Anna" : "bob", Duration = TimeSpan.FromHours(i * 7), Version = new Version(1, i), Half = (Half)i,
            Wide = (Int128)i * 1000,
            Some = i % 2 == 0 ? null : i, Grade = (Grade)(i % 3), Letter = (char)('a' + i), Bytes = [(byte)i], Map = i % 4 == 0 ? [] : new() { ["k"] = i },
            Is = i % 3 == 0 ? null : i % 3 == 1, Local = new DateTimeOffset(2026, 1 + i, 5, 23, 30, 0, TimeSpan.FromHours(i % 3)), Owner = new ReaderId(i),
            Numbers = [null, i, 3], Pause = i % 3 == 0 ? null : TimeSpan.FromHours(i * 9), Unsigned = (ulong)i << 58,
        }),
    ];

    private StoreFixture _fixture = null!;

    public enum Grade
    {
        Good,
        Fair,
        Bad,
    }

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        using IDocumentSession session = _fixture.Store.OpenSession();
        foreach (Reading one in s_all)
        {
            session.Store(one);
        }

        session.SaveChanges();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public void Conditions_GiveTheRowsOfLinqToObjects()
    {
        TimeSpan day = TimeSpan.FromHours(24);
        Same(q => q.Where(x => x.Duration > day));
        Same(q => q.Where(x => x.Duration <= TimeSpan.FromHours(20)));
        Same(q => q.Where(x => x.Pause < day && day >= x.Duration));
        Same(q => q.Where(x => !(x.Pause < day)));
        Same(q => q.Where(x => x.Duration == TimeSpan.FromHours(7)));
        Same(q => q.Where(x => x.Half > (Half)3 && x.Wide < 9000));
        Same(q => q.Where(x => x.Name != null && Regex.IsMatch(x.Name, "^A")));
        Same(q => q.Where(x => x.Owner.Value == 5));
        Same(q => q.Where(x => x.Map.ContainsKey("k") && x.Map["k"] == 3));
        Same(q => q.Where(x => x.Letter > 'c' && (int)x.Grade >= 1));
        Assert.Equal(s_all.Length, Query().Cast<object>().ToList().OfType<Reading>().Count());
        Assert.Equal(2, Query().GroupBy(x => x.Name).Count());
        Assert.Equal(3, Query().GroupBy(x => new { x.Name, x.Grade }).Where(g => g.Count() > 3).Count());
        Assert.True(Query().GroupBy(x => x.Name).Any(g => g.Count() > 4));
    }

    [Fact]
    public void DocumentQueries_CompareDurationsByTheirLengths()
    {
        TimeSpan day = TimeSpan.FromHours(24);
        using IDocumentSession session = _fixture.Store.OpenSession();
        IDocumentQuery<Reading> Ask() => session.Advanced.DocumentQuery<Reading>().WaitForNonStaleResults();
        Assert.Equal(s_all.Count(x => x.Duration > day), Ask().WhereGreaterThan(x => x.Duration, day).ToList().Count);
        Assert.Equal(s_all.Count(x => x.Duration <= day), Ask().WhereLessThanOrEqual("Duration", day).ToList().Count);
        Assert.Equal(s_all.Count(x => x.Duration >= day && x.Duration <= 2 * day), Ask().WhereBetween(x => x.Duration, day, 2 * day).ToList().Count);
        Assert.Single(Ask().WhereEquals(x => x.Duration, TimeSpan.FromHours(49)).ToList());
        Assert.Throws<QueryTranslationException>(() => Ask().WhereEquals(x => x.Price, 12345678901234567.89m).ToList());
        Assert.Throws<QueryTranslationException>(() =>
            session.Advanced.DocumentQuery<Reading>("Readings/All").WhereGreaterThan(x => x.Duration, day).ToList());
    }

    [Fact]
    public void OrdersAndTotals_AreThoseOfLinqToObjects()
    {
        Same(q => q.OrderBy(x => x.Duration));
        Same(q => q.OrderByDescending(x => x.Half));
        Same(q => q.OrderByDescending(x => x.Wide));
        Same(q => q.OrderByDescending(x => x.Unsigned));
        Same(q => q.OrderBy(x => x.Name).ThenByDescending(x => x.Duration));
        Same(q => q.Where(x => x.Pause != null).OrderByDescending(x => x.Pause));
        Assert.Equal(s_all.Max(x => x.Duration), Query().Max(x => x.Duration));
        Assert.Equal(s_all.Min(x => x.Pause), Query().Min(x => x.Pause));
        Assert.Equal((s_all.Max(x => x.Half), s_all.Max(x => x.Wide), s_all.Max(x => x.Unsigned)),
            (Query().Max(x => x.Half), Query().Max(x => x.Wide), Query().Max(x => x.Unsigned)));
    }

    [Fact]
    public void Projections_GiveTheValuesOfLinqToObjects()
    {
        Rows(q => q.Select(x => new { x.Number, A = x.Some + 1, B = x.Some * 2, C = -x.Some, D = x.Some < 3, E = x.Some <= 0, F = x.Some > -1 }));
        Rows(q => q.Select(x => new { x.Number, G = x.Some / 2, H = !x.Is }));
        Rows(q => q.Select(x => new { x.Number, A = x.Map.Keys.ToList(), B = x.Map.Values.Sum(), C = x.Map.Count }));
        Rows(q => q.Select(x => new { x.Number, A = x.Map.Select(p => p.Key + p.Value).ToList() }));
        Rows(q => q.Select(x => new { x.Number, A = x.Map.Any(p => p.Value == 3), B = x.Map.Where(p => p.Value > 2).Select(p => p.Value).ToList() }));
        Rows(q => q.Select(x => new { x.Number, A = x.Local.Year, B = x.Local.Month, C = x.Local.Day, D = x.Local.Hour, E = x.Local.Minute }));
        Rows(q => q.Select(x => new { x.Number, A = x.Numbers.Min(), B = x.Numbers.Max(), C = x.Numbers.Average(), D = x.Numbers.Sum(), E = x.Owner.Value }));
        Rows(q => q.Select(x => new { x.Number, A = x.Letter == 'c', B = x.Letter > 'c', C = x.Grade == Grade.Bad ? 1 : 2 }));
        Rows(q => q.Select(x => new { x.Number, A = x.Duration == TimeSpan.FromHours(7) }));
        Assert.All(
            Query().Select(x => new { x, Twice = x.Number * 2 }).ToList(),
            row => Assert.Equal(row.Twice, s_all.Single(one => one.Id == row.x.Id).Number * 2));
    }

    [Fact]
    public void WhatTheServerWouldCompareOtherwise_IsRefused()
    {
        Refused(q => q.Where(x => x.Version > new Version(1, 3)), "x.Version", "not that of the values");
        Refused(q => q.OrderBy(x => x.Version), "x.Version", "not that of the values");
        Refused(q => q.Where(x => x.Version.Minor == 3), "Minor");
        Refused(q => q.Where(x => x.Bytes.Length == 1), "Length");
        Refused(q => q.Where(x => x.Bytes.Contains((byte)3)), "Contains");
        Refused(q => q.Where(x => x.Map.Any(p => p.Value == 3)), "Any", "ContainsKey");
        Refused(q => q.Where(x => x.Map.Any()), "Any", "ContainsKey");
        Refused(q => q.Where(x => x.Map.All(p => p.Value > 3)), "All", "ContainsKey");
        Refused(q => q.Where(x => x.Map.Select(p => p.Value).Contains(3)), "Contains");
        Refused(q => q.Where(x => x.Unsigned == ulong.MaxValue - 2), "64 bits");
        Refused(q => q.Where(x => x.Price == 12345678901234567.89m), "12345678901234567.89");
        Refused(q => q.Where(x => x.Ratio < double.PositiveInfinity), "64 bits");
        Refused(q => q.Select(x => new { A = x.Grade > Grade.Fair }), "x.Grade");
        Refused(q => q.Select(x => new { A = (int)x.Grade }), "x.Grade");
        Refused(q => q.Select(x => (int)x.Grade), "x.Grade");
        Refused(q => q.Select(x => new { A = x.Letter + 1 }), "x.Letter");
        Refused(q => q.Select(x => new { A = x.Duration > TimeSpan.FromHours(1), B = x.Duration + TimeSpan.FromHours(1) }), "x.Duration");
        Refused(q => q.Select(x => new { A = x.Local.DayOfWeek }), "DayOfWeek");
        Refused(q => q.Select(x => new { A = x.Numbers.OrderBy(n => n).ToList(), B = x.Bytes.Length }), "Length");
        Refused(q => q.GroupBy(x => x.Name).Select(g => new { g.Key, A = g.Average(x => x.Some) }), "Average");
        Assert.Throws<QueryTranslationException>(() => Query().Sum(x => x.Letter));
        Assert.Throws<QueryTranslationException>(() => Query().Sum(x => (int)x.Grade));
        Assert.Throws<QueryTranslationException>(() => Query().Max(x => x.Version));
    }

    private IDocumentQueryable<Reading> Query() => _fixture.Store.OpenSession().Query<Reading>().Customize(query => query.WaitForNonStaleResults());

    private void Same(Func<IQueryable<Reading>, IQueryable<Reading>> query)
    {
        IQueryable<Reading> asked = query(Query());
        bool isOrdered = asked.ToString()!.Contains("order by", StringComparison.Ordinal);
        int[] Numbers(IEnumerable<Reading> rows) => [.. isOrdered ? rows.Select(row => row.Number) : rows.Select(row => row.Number).Order()];
        Assert.True(Numbers(query(s_all.AsQueryable())).SequenceEqual(Numbers(asked.ToList())), asked.ToString());
    }

    private void Rows<T>(Func<IQueryable<Reading>, IQueryable<T>> query)
    {
        IQueryable<T> asked = query(Query().OrderBy(x => x.Number));
        string Text(IEnumerable<T> rows) => System.Text.Json.JsonSerializer.Serialize(rows.ToList());
        Assert.Equal(Text(query(s_all.AsQueryable())), Text(asked.ToList()));
    }

    private void Refused<T>(Func<IQueryable<Reading>, IQueryable<T>> query, params string[] says)
    {
        QueryTranslationException refused = Assert.Throws<QueryTranslationException>(() => query(Query()).ToString());
        Assert.All(says, one => Assert.Contains(one, refused.Message, StringComparison.Ordinal));
    }

    public readonly record struct ReaderId(int Value);

    public sealed class Reading
    {
        public string? Id { get; set; }

        public int Number { get; set; }

        public string? Name { get; set; }

        public TimeSpan Duration { get; set; }

        public TimeSpan? Pause { get; set; }

        public Version Version { get; set; } = new(1, 0);

        public Half Half { get; set; }

        public Int128 Wide { get; set; }

        public ulong Unsigned { get; set; }

        public decimal Price { get; set; }

        public double Ratio { get; set; }

        public int? Some { get; set; }

        public bool? Is { get; set; }

        public Grade Grade { get; set; }

        public char Letter { get; set; }

        public byte[] Bytes { get; set; } = [];

        public Dictionary<string, int> Map { get; set; } = [];

        public DateTimeOffset Local { get; set; }

        public ReaderId Owner { get; set; }

        public List<int?> Numbers { get; set; } = [];
    }
}
