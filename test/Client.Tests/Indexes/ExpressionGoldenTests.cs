using System.Linq.Expressions;
using System.Text.RegularExpressions;

namespace Jackdaw.Client.Tests.Indexes;

/// <summary>Expressions and the C# that they become. The server compiles each text, and its value is that of C#.</summary>
public sealed partial class ExpressionGoldenTests
{
    private static readonly string[] s_names = ["Lamp", "Bulb"];
    private static readonly DateTime s_day = new(2025, 2, 15);
    private static readonly Dictionary<string, int> s_table = new() { ["Lamp"] = 5 };
    private static readonly Regex s_regex = Pattern();


    [Fact]
    public void Numbers_Whole_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.A + 1, "x.A + 1"),
        (x => x.A - (x.B - 1), "x.A - (x.B - 1)"),
        (x => x.A - x.B - 1, "x.A - x.B - 1"),
        (x => (x.A + x.B) * 2, "(x.A + x.B) * 2"),
        (x => x.A + x.B * 2, "x.A + x.B * 2"),
        (x => x.A / 2, "x.A / 2"),
        (x => x.A % 4, "x.A % 4"),
        (x => -x.A, "-x.A"),
        (x => -(-x.A), "-(-x.A)"),
        (x => x.A - -5, "x.A - -5"),
        (x => -(x.A + x.B), "-(x.A + x.B)"));

    [Fact]
    public void Numbers_WithFractions_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.A * 2.5, "(double)x.A * 2.5"),
        (x => x.A / 2.0, "(double)x.A / 2.0"),
        (x => (double)x.A / x.B, "(double)x.A / (double)x.B"),
        (x => x.D / x.E, "(double)x.D / x.E"),
        (x => x.D / 2, "x.D / 2.0"),
        (x => x.E / 4 * 3, "x.E / 4.0 * 3.0"),
        (x => x.D * x.E, "x.D * x.E"),
        (x => x.F / x.E, "(dynamic)(double?)x.F / x.E"),
        (x => x.F + 1, "x.F + 1.0"),
        (x => x.P * x.Q, "(decimal)x.P * x.Q"),
        (x => x.P / x.Q, "(decimal)x.P / x.Q"),
        (x => x.P * 2, "x.P * 2m"),
        (x => x.P * x.A, "x.P * (decimal)x.A"),
        (x => x.R * x.R, "(dynamic)(decimal?)x.R * x.R"),
        (x => x.R + x.N, "x.R + (dynamic)(decimal?)x.N"));

    [Fact]
    public void Numbers_OfManyKinds_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.P / 3, "x.P / 3m"),
        (x => x.Q / x.A, "x.Q / (decimal)x.A"),
        (x => x.N + 1, "x.N + 1"),
        (x => x.N + x.M, "x.N + x.M"),
        (x => x.N * 2.5, "(dynamic)(double?)x.N * 2.5"),
        (x => x.N!.Value + 1, "x.N + 1"),
        (x => x.N.HasValue, "x.N != null"),
        (x => !x.M.HasValue, "!(x.M != null)"),
        (x => x.M ?? 5, "x.M ?? 5"),
        (x => x.N ?? x.M ?? 3, "x.N ?? x.M ?? 3"),
        (x => x.N.GetValueOrDefault() + 1, "(x.N ?? 0) + 1"),
        (x => x.M.GetValueOrDefault(), "x.M ?? 0"));

    [Fact]
    public void Conditions_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.G * 3, "(float)x.G * 3f"),
        (x => x.G + 0.2f, "(float)x.G + 0.2f"),
        (x => x.L + 1, "x.L + 1L"),
        (x => x.L * x.A, "x.L * x.A"),
        (x => (int)x.D, "(int)x.D"),
        (x => (long)x.A, "x.A"),
        (x => (double)x.P, "(double)x.P"),
        (x => (decimal)x.D, "(decimal)x.D"),
        (x => (int?)x.F, "(dynamic)(int?)x.F"),
        (x => x.A & 3, "(int)x.A & 3"),
        (x => x.A | 8, "(int)x.A | 8"),
        (x => x.A ^ 1, "(int)x.A ^ 1"),
        (x => x.A << 2, "(int)x.A << 2"),
        (x => x.A >> 1, "(int)x.A >> 1"),
        (x => ~x.A, "~(int)x.A"));

    [Fact]
    public void Comparisons_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.A > 5 && x.B < 5 || x.X, "x.A > 5 && x.B < 5 || x.X"),
        (x => x.A > 5 && (x.B < 5 || x.X), "x.A > 5 && (x.B < 5 || x.X)"),
        (x => !x.X, "!x.X"),
        (x => !(x.A > 5), "!(x.A > 5)"),
        (x => x.X == (x.A > 5), "x.X == x.A > 5"),
        (x => x.X ^ x.A > 5, "(bool)x.X != x.A > 5"),
        (x => x.X & x.A > 5, "x.X & x.A > 5"),
        (x => x.Y == true, "x.Y == true"),
        (x => x.Y != true, "x.Y != true"),
        (x => x.Y ?? true, "x.Y ?? true"),
        (x => x.X ? x.A : x.B, "x.X ? x.A : x.B"),
        (x => x.X ? 1 : 2.5, "x.X ? 1.0 : 2.5"),
        (x => x.A > 5 ? "big" : x.B > 2 ? "mid" : "small", "x.A > 5 ? \"big\" : x.B > 2 ? \"mid\" : \"small\""),
        (x => (x.A > 5 ? x.A : x.B) + 1, "(x.A > 5 ? x.A : x.B) + 1"));

    [Fact]
    public void Texts_PutTogether_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.N > 3, "x.N > 3"),
        (x => x.M > 3, "x.M > 3"),
        (x => x.M == null, "x.M == null"),
        (x => x.N != null, "x.N != null"),
        (x => x.N == 4, "x.N == 4"),
        (x => x.M != 4, "x.M != 4"),
        (x => x.T == null, "x.T == null"),
        (x => x.T ?? "none", "x.T ?? \"none\""),
        (x => x.S == "Lamp", "x.S == \"Lamp\""),
        (x => x.S != x.T, "x.S != x.T"),
        (x => x.A >= x.B, "x.A >= x.B"),
        (x => x.P > 12, "x.P > 12m"),
        (x => x.P == 12.75m, "x.P == 12.75m"),
        (x => x.D == 5, "x.D == 5.0"),
        (x => x.G == 0.1f, "x.G == 0.1f"));

    [Fact]
    public void Texts_Methods_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.S + "!", "x.S + \"!\""),
        (x => x.S + x.S, "string.Concat(x.S, x.S)"),
        (x => x.T + x.T, "string.Concat(x.T, x.T)"),
        (x => x.S + " " + x.A + x.B, "x.S + \" \" + x.A + x.B"),
        (x => x.A + x.B + x.S, "string.Concat(x.A + x.B, x.S)"),
        (x => x.S + (x.A + x.B), "string.Concat(x.S, x.A + x.B)"),
        (x => x.S + x.N + x.M, "string.Concat(x.S, x.N, x.M)"),
        (x => $"{x.S}-{x.A:D3}", "string.Format(\"{0}-{1:D3}\", x.S, x.A)"),
        (x => $"{x.S}-{x.T}", "string.Format(\"{0}-{1}\", x.S, x.T)"),
        (x => $"{x.P:F1} {x.At:yyyy}", "string.Format(\"{0:F1} {1:yyyy}\", (decimal)x.P, x.At)"),
        (x => string.Concat(x.S, "-", x.A), "x.S + \"-\" + x.A"),
        (x => string.Join(",", x.Tags), "string.Join(\",\", x.Tags)"),
        (x => string.Join("/", new[] { x.S, x.T }), "string.Join(\"/\", new[] { x.S, x.T })"),
        (x => string.Format("{0}:{1}", x.S, x.A), "string.Format(\"{0}:{1}\", x.S, x.A)"),
        (x => "n" + x.Took + (x.Until - x.At), "string.Concat(\"n\", x.Took, x.Until - x.At)"));

    [Fact]
    public void Enums_AndLetters_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.S.ToLower(), "x.S.ToLower()"),
        (x => x.S.ToUpperInvariant(), "x.S.ToUpperInvariant()"),
        (x => x.S.Substring(1), "x.S.Substring(1)"),
        (x => x.S.Substring(1, 2), "x.S.Substring(1, 2)"),
        (x => x.S.Contains("am"), "x.S.Contains(\"am\")"),
        (x => x.S.StartsWith("La"), "x.S.StartsWith(\"La\")"),
        (x => x.S.StartsWith("la", StringComparison.OrdinalIgnoreCase), "x.S.StartsWith(\"la\", StringComparison.OrdinalIgnoreCase)"),
        (x => x.S.EndsWith('p'), "x.S.EndsWith('p')"),
        (x => x.S.Length, "x.S.Length"),
        (x => x.S.Length + 1, "x.S.Length + 1"),
        (x => x.S.IndexOf('m'), "x.S.IndexOf('m')"),
        (x => x.S.Replace("L", "l"), "x.S.Replace(\"L\", \"l\")"),
        (x => x.S.Trim(), "x.S.Trim()"),
        (x => x.S.Trim('L', 'p'), "x.S.Trim('L', 'p')"),
        (x => x.S.PadLeft(6, '.'), "x.S.PadLeft(6, '.')"),
        (x => x.S.Split('a')[1], "x.S.Split('a', StringSplitOptions.None)[1]"),
        (x => x.S.Split(new[] { 'a' }, StringSplitOptions.RemoveEmptyEntries), "x.S.Split(new[] { 'a' }, StringSplitOptions.RemoveEmptyEntries)"),
        (x => x.S[0], "x.S[0]"),
        (x => x.S[0] == 'L', "x.S[0] == 'L'"),
        (x => x.S.Equals("Lamp"), "x.S == \"Lamp\""),
        (x => x.S.Equals("lamp", StringComparison.OrdinalIgnoreCase), "x.S.Equals(\"lamp\", StringComparison.OrdinalIgnoreCase)"),
        (x => string.Equals(x.S, "lamp", StringComparison.OrdinalIgnoreCase), "string.Equals(x.S, \"lamp\", StringComparison.OrdinalIgnoreCase)"),
        (x => string.IsNullOrEmpty(x.T), "string.IsNullOrEmpty(x.T)"),
        (x => !string.IsNullOrWhiteSpace(x.S), "!string.IsNullOrWhiteSpace(x.S)"),
        (x => string.Compare(x.S, "M") < 0, "string.Compare(x.S, \"M\") < 0"),
        (x => x.S.CompareTo("M") < 0, "x.S.CompareTo(\"M\") < 0"),
        (x => "Lamps".Contains(x.S), "((dynamic)\"Lamps\").Contains(x.S)"),
        (x => "abc".StartsWith(x.S), "((dynamic)\"abc\").StartsWith(x.S)"),
        (x => x.A.ToString(), "x.A.ToString()"),
        (x => x.A.ToString("D5"), "x.A.ToString(\"D5\")"),
        (x => x.A.ToString() + "a", "x.A.ToString() + \"a\""),
        (x => x.A.ToString().PadLeft(3, '0'), "x.A.ToString().PadLeft(3, '0')"),
        (x => x.P.ToString("F1", System.Globalization.CultureInfo.InvariantCulture), "((decimal)x.P).ToString(\"F1\")"),
        (x => x.S.Trim().StartsWith(x.S), "x.S.Trim().StartsWith(x.S)"),
        (x => x.A.ToString().Contains(x.S), "((dynamic)x.A.ToString()).Contains(x.S)"),
        (x => x.S.Any(c => c == 'L'), "x.S.Any(c => c == 'L')"),
        (x => x.S.ToCharArray().Length, "x.S.ToCharArray().Count()"),
        (x => char.IsUpper(x.S[0]), "char.IsUpper((char)x.S[0])"));

    [Fact]
    public void Times_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.Letter, "x.Letter"),
        (x => x.Letter == 'B', "x.Letter == 'B'"),
        (x => x.Letter > 'A', "x.Letter > 'A'"),
        (x => (int)x.Letter, "(int)(char)x.Letter"),
        (x => x.Letter + "c", "x.Letter + \"c\""),
        (x => x.Color == Color.Green, "x.Color == \"Green\""),
        (x => x.Color != Color.Red, "x.Color != \"Red\""),
        (x => x.Other == Color.Red, "x.Other == \"Red\""),
        (x => x.Other == null, "x.Other == null"),
        (x => x.Color, "x.Color"),
        (x => x.Color.ToString(), "x.Color.ToString()"),
        (x => x.X ? Color.Red : Color.Blue, "x.X ? \"Red\" : \"Blue\""),
        (x => new[] { Color.Red, Color.Green }.Contains(x.Color), "new[] { \"Red\", \"Green\" }.Contains(x.Color)"),
        (x => x.Color.Equals(Color.Green), "x.Color == \"Green\""));

    [Fact]
    public void Functions_OfNumbers_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.At.Year, "x.At.Year"),
        (x => x.At.Month + 1, "x.At.Month + 1"),
        (x => x.At.Date, "x.At.Date"),
        (x => x.At.Date == new DateTime(2025, 2, 14), "x.At.Date == new DateTime(2025, 2, 14)"),
        (x => x.At.DayOfWeek, "x.At.DayOfWeek"),
        (x => x.At.DayOfWeek == DayOfWeek.Friday, "x.At.DayOfWeek == \"Friday\""),
        (x => (int)x.At.DayOfWeek, "(int)(DayOfWeek)x.At.DayOfWeek"),
        (x => x.At.AddDays(1), "x.At.AddDays(1.0)"),
        (x => x.At.AddDays(-x.A).Day, "x.At.AddDays((double)-x.A).Day"),
        (x => x.At.ToString("yyyy-MM"), "x.At.ToString(\"yyyy-MM\")"),
        (x => x.Until - x.At, "x.Until - x.At"),
        (x => (x.Until - x.At).TotalHours, "(x.Until - x.At).TotalHours"),
        (x => x.Until - x.At > TimeSpan.FromDays(2), "x.Until - x.At > new TimeSpan(2, 0, 0, 0)"),
        (x => x.At > s_day, "x.At > new DateTime(2025, 2, 15)"),
        (x => x.At < x.Until, "(DateTime)x.At < x.Until"),
        (x => x.At == x.Until, "(DateTime)x.At == x.Until"),
        (x => x.Gone > x.At, "(dynamic)(DateTime?)x.Gone > x.At"),
        (x => x.Gone == null, "x.Gone == null"),
        (x => x.Gone!.Value.Year, "x.Gone.Year"),
        (x => x.Gone.HasValue ? x.Gone.Value.Year : 0, "x.Gone != null ? x.Gone.Year : 0"),
        (x => x.Gone ?? x.At, "x.Gone ?? x.At"),
        (x => x.At + x.Took, "(DateTime)x.At + (TimeSpan)x.Took"),
        (x => x.At - x.Took, "x.At - x.Took"),
        (x => x.At + x.Rest, "(dynamic)(DateTime?)x.At + (dynamic)(TimeSpan?)x.Rest"),
        (x => x.Took + x.Took, "(TimeSpan)x.Took + (TimeSpan)x.Took"),
        (x => x.Took - TimeSpan.FromHours(1), "(TimeSpan)x.Took - new TimeSpan(0, 1, 0, 0)"),
        (x => x.Took + x.Rest, "(dynamic)(TimeSpan?)x.Took + (dynamic)(TimeSpan?)x.Rest"),
        (x => -x.Took, "-(TimeSpan)x.Took"),
        (x => x.Took.TotalMinutes, "x.Took.TotalMinutes"),
        (x => x.Took.Days, "x.Took.Days"),
        (x => x.Took > TimeSpan.FromHours(9), "x.Took > new TimeSpan(0, 9, 0, 0)"),
        (x => x.Took > x.Rest, "(dynamic)(TimeSpan?)x.Took > x.Rest"),
        (x => x.Took < x.Until - x.At, "(TimeSpan)x.Took < x.Until - x.At"),
        (x => new DateTime(x.At.Year, x.At.Month, 1), "new DateTime((int)x.At.Year, (int)x.At.Month, 1)"),
        (x => DateTime.DaysInMonth(x.At.Year, x.At.Month), "DateTime.DaysInMonth((int)x.At.Year, (int)x.At.Month)"),
        (x => x.At.Kind, "((DateTime)x.At).Kind"),
        (x => x.Seen.UtcDateTime.Hour, "x.Seen.Hour"),
        (x => x.Seen < new DateTimeOffset(2025, 2, 14, 8, 0, 0, TimeSpan.Zero), "x.Seen < new DateTime(2025, 2, 14, 8, 0, 0, DateTimeKind.Utc)"),
        (x => x.Day.Year, "x.Day.Year"),
        (x => x.Day == new DateOnly(2025, 2, 14), "x.Day == \"2025-02-14\""),
        (x => x.Day > new DateOnly(2025, 1, 1), "x.Day > \"2025-01-01\""),
        (x => x.Day.AddDays(1), "((DateOnly)x.Day).AddDays(1)"),
        (x => x.Hour.Hour, "((TimeOnly)x.Hour).Hour"),
        (x => x.Hour == new TimeOnly(9, 15), "x.Hour == \"09:15:00\""),
        (x => x.Hour > new TimeOnly(8, 0), "x.Hour > \"08:00:00\""),
        (x => x.Key == new Guid("6f9619ff-8b86-d011-b42d-00c04fc964ff"), "x.Key == \"6f9619ff-8b86-d011-b42d-00c04fc964ff\""),
        (x => x.Key.ToString(), "x.Key.ToString()"),
        (x => x.At.CompareTo(s_day) < 0, "((dynamic)(DateTime)x.At).CompareTo(new DateTime(2025, 2, 15)) < 0"),
        (x => DateTime.Parse("2025-01-01").Year, "2025"),
        (x => TimeSpan.FromMinutes(x.A), "TimeSpan.FromMinutes(x.A)"),
        (x => x.At.Ticks, "x.At.Ticks"));

    [Fact]
    public void Members_AndLists_AreWrittenAsTheServerComputesThem() => Are(
        (x => Math.Round(x.P, 1), "Math.Round((decimal)x.P, 1)"),
        (x => Math.Round(x.P), "Math.Round((decimal)x.P)"),
        (x => Math.Round(x.D / 3, 2), "Math.Round(x.D / 3.0, 2)"),
        (x => Math.Round(x.P, 0), "Math.Round((decimal)x.P)"),
        (x => Math.Floor(x.D / x.E), "Math.Floor((double)x.D / x.E)"),
        (x => Math.Ceiling(x.P), "Math.Ceiling((decimal)x.P)"),
        (x => Math.Abs(-x.A), "Math.Abs(-x.A)"),
        (x => Math.Max(x.A, x.B), "Math.Max(x.A, x.B)"),
        (x => Math.Min(x.A, 2), "Math.Min(x.A, 2)"),
        (x => Math.Pow(x.A, 2), "Math.Pow((double)x.A, 2.0)"),
        (x => Math.Sqrt(x.D), "Math.Sqrt(x.D)"),
        (x => Math.Clamp(x.A, 1, 5), "Math.Min(Math.Max(x.A, 1), 5)"),
        (x => Math.Sign(-x.A), "Math.Sign(-x.A)"),
        (x => Math.PI * x.D, "3.141592653589793 * x.D"),
        (x => Math.Round(2.5m * x.Q, MidpointRounding.AwayFromZero), "Math.Round(2.5m * x.Q, MidpointRounding.AwayFromZero)"),
        (x => Math.Truncate(x.D / x.E), "Math.Truncate((double)x.D / x.E)"),
        (x => Convert.ToInt32(x.D), "Convert.ToInt32(x.D)"),
        (x => Convert.ToString(x.A), "Convert.ToString(x.A)"),
        (x => int.Parse(x.A.ToString()), "Convert.ToInt64(x.A.ToString())"),
        (x => decimal.Parse("1.5") * x.P, "1.5m * x.P"));

    [Fact]
    public void Operators_OfLinq_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.Id, "Id(x)"),
        (x => x.Main!.Name, "x.Main.Name"),
        (x => x.Main == null, "x.Main == null"),
        (x => x.Main!.Parts.Count, "x.Main.Parts.Count()"),
        (x => x.Full, "x[\"full-name\"]"),
        (x => x.@class, "x.@class"),
        (x => x.Count, "x.Count"),
        (x => x.ToString, "x[\"ToString\"]"),
        (x => s_names.Contains(x.S), "new[] { \"Lamp\", \"Bulb\" }.Contains(x.S)"),
        (x => new[] { "a", x.S }.Contains("Lamp"), "new[] { \"a\", x.S }.Contains(\"Lamp\")"),
        (x => new List<string> { "Lamp" }.Contains(x.S), "new[] { \"Lamp\" }.Contains(x.S)"),
        (x => x.Tags.Contains("x"), "x.Tags.Contains(\"x\")"),
        (x => x.Tags.Contains(x.S), "x.Tags.Contains(x.S)"),
        (x => x.Numbers.Contains(2), "x.Numbers.Contains(2)"),
        (x => x.Numbers.Contains(x.B), "x.Numbers.Contains(x.B)"));

    [Fact]
    public void Operators_OverObjects_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.Tags.Count, "x.Tags.Count()"),
        (x => x.Numbers.Length, "x.Numbers.Count()"),
        (x => x.Tags.Count(), "x.Tags.Count()"),
        (x => x.Tags.Any(), "x.Tags.Any()"),
        (x => x.Tags.Any(t => t == "Y"), "x.Tags.Any(t => t == \"Y\")"),
        (x => x.Tags.All(t => t.Length == 1), "x.Tags.All(t => t.Length == 1)"),
        (x => x.Tags.Count(t => t == "x"), "x.Tags.Count(t => t == \"x\")"),
        (x => x.Tags[1], "x.Tags[1]"),
        (x => x.Numbers[0] + 1, "x.Numbers[0] + 1"),
        (x => x.Tags.First(), "x.Tags.First()"),
        (x => x.Tags.FirstOrDefault(t => t == "Y"), "x.Tags.Where(t => t == \"Y\").FirstOrDefault()"),
        (x => x.Tags.Last(), "x.Tags.Last()"),
        (x => x.Numbers.FirstOrDefault(), "x.Numbers.FirstOrDefault() ?? 0"),
        (x => x.Numbers.FirstOrDefault(n => n > 9), "x.Numbers.Where(n => n > 9).FirstOrDefault() ?? 0"),
        (x => x.Tags.Distinct(), "x.Tags.Distinct()"),
        (x => x.Tags.Distinct().Count() > 1, "x.Tags.Distinct().Count() > 1"),
        (x => x.Tags.Select(t => t.ToLower()), "x.Tags.Select(t => t.ToLower())"),
        (x => x.Tags.Where(t => t != "x").ToList(), "x.Tags.Where(t => t != \"x\").ToList()"),
        (x => x.Numbers.OrderBy(n => n), "x.Numbers.OrderBy(n => n)"),
        (x => x.Numbers.OrderByDescending(n => n).First(), "x.Numbers.OrderByDescending(n => n).First()"),
        (x => x.Numbers.Sum(), "x.Numbers.Sum()"),
        (x => x.Numbers.Max(), "x.Numbers.Max()"),
        (x => x.Numbers.Min(), "x.Numbers.Min()"),
        (x => x.Numbers.Average(), "x.Numbers.Average()"),
        (x => x.Numbers.Sum(n => n * 2), "x.Numbers.Sum(n => n * 2)"),
        (x => x.Tags.Skip(1).Take(1), "x.Tags.Skip(1).Take(1)"),
        (x => x.Tags.Concat(new[] { "z" }), "x.Tags.Concat(new dynamic[] { \"z\" })"),
        (x => x.Tags.Union(s_names), "x.Tags.Union(new dynamic[] { \"Lamp\", \"Bulb\" })"),
        (x => x.Tags.Except(new[] { "x" }), "x.Tags.Except(new dynamic[] { \"x\" })"),
        (x => x.Tags.Intersect(new List<string> { "x" }), "x.Tags.Intersect(new dynamic[] { \"x\" })"),
        (x => x.Tags.Select((t, i) => t + i), "x.Tags.Select((t, i) => string.Concat(t, i))"),
        (x => x.Tags.Aggregate("", (a, t) => a + t), "x.Tags.Aggregate(\"\", (a, t) => string.Concat(a, t))"),
        (x => x.Tags.Append("q"), "x.Tags.Concat(new dynamic[] { \"q\" })"),
        (x => x.Tags.Prepend("q"), "new dynamic[] { \"q\" }.Concat(x.Tags)"),
        (x => x.Tags.Zip(x.Numbers, (t, n) => t + n), "x.Tags.Zip(x.Numbers, (t, n) => string.Concat(t, n))"),
        (x => x.Numbers.ToList()[x.A - 6], "x.Numbers.ToList()[(int)(x.A - 6)]"),
        (x => x.Tags.ToHashSet().Count, "x.Tags.ToHashSet().Count()"),
        (x => x.Tags.Reverse<string>(), "x.Tags.Reverse()"),
        (x => x.Tags.ElementAt(1), "x.Tags.ElementAt(1)"),
        (x => x.Numbers.SingleOrDefault(n => n == 2), "x.Numbers.Where(n => n == 2).SingleOrDefault() ?? 0"),
        (x => Enumerable.Range(1, x.B).Sum(), "Enumerable.Range(1, (int)x.B).Sum()"),
        (x => x.Tags.DefaultIfEmpty("q"), "x.Tags.DefaultIfEmpty(\"q\")"),
        (x => x.Tags.LastOrDefault(t => t == "x"), "x.Tags.Where(t => t == \"x\").LastOrDefault()"));

    [Fact]
    public void Dictionaries_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.Parts.Sum(p => p.Price), "x.Parts.Sum(p => p.Price)"),
        (x => x.Parts.Sum(p => p.Price * p.Amount), "x.Parts.Sum(p => p.Price * (decimal)p.Amount)"),
        (x => x.Parts.Sum(p => p.Price * p.Amount * (1 - (decimal)p.Off)), "x.Parts.Sum(p => p.Price * (decimal)p.Amount * (1m - (decimal)p.Off))"),
        (x => x.Parts.Average(p => p.Price), "x.Parts.Average(p => p.Price)"),
        (x => x.Parts.Max(p => p.Price), "x.Parts.Max(p => p.Price)"),
        (x => x.Parts.Max(p => p.At), "x.Parts.Max(p => (DateTime)p.At)"),
        (x => x.Parts.Min(p => p.Amount), "x.Parts.Min(p => p.Amount)"),
        (x => x.Parts.Select(p => p.Name), "x.Parts.Select(p => p.Name)"),
        (x => x.Parts.Where(p => p.Amount > 2).Select(p => p.Name), "x.Parts.Where(p => p.Amount > 2).Select(p => p.Name)"),
        (x => x.Parts.SelectMany(p => p.Labels), "x.Parts.SelectMany(p => p.Labels)"),
        (x => x.Parts.SelectMany(p => p.Labels, (p, l) => p.Name + l), "x.Parts.SelectMany(p => p.Labels, (p, l) => string.Concat(p.Name, l))"),
        (x => x.Parts.Select(p => new { p.Name, Total = p.Price * p.Amount }).Where(r => r.Total > 20).Select(r => r.Name),
            "x.Parts.Select(p => new { Name = p.Name, Total = p.Price * (decimal)p.Amount }).Where(r => r.Total > 20m).Select(r => r.Name)"),
        (x => x.Parts.GroupBy(p => p.Amount > 3).Select(g => new { g.Key, N = g.Count() }),
            "x.Parts.GroupBy(p => p.Amount > 3).Select(g => new { Key = g.Key, N = g.Count() })"),
        (x => x.Parts.ToDictionary(p => p.Name, p => p.Amount), "x.Parts.ToDictionary(p => p.Name, p => p.Amount)"),
        (x => x.Parts.FirstOrDefault(p => p.Name == "Cord")!.Price, "x.Parts.Where(p => p.Name == \"Cord\").FirstOrDefault().Price"),
        (x => x.Parts.First(p => p.Off > 0).Name, "x.Parts.Where(p => p.Off > 0.0).First().Name"),
        (x => x.Parts.OrderBy(p => p.Amount).ThenByDescending(p => p.Name).Select(p => p.Name).First(),
            "x.Parts.OrderBy(p => p.Amount).ThenByDescending(p => p.Name).Select(p => p.Name).First()"),
        (x => from p in x.Parts let t = p.Price * p.Amount where t > 12 orderby t select p.Name + t,
            "x.Parts.Select(p => new { p = p, t = p.Price * (decimal)p.Amount }).Where(this0 => this0.t > 12m)" +
                ".OrderBy(this0 => this0.t).Select(this0 => string.Concat(this0.p.Name, this0.t))"),
        (x => from p in x.Parts join q in x.Parts on p.Name equals q.Name select q.Amount,
            "x.Parts.Join(x.Parts, p => p.Name, q => q.Name, (p, q) => q.Amount)"),
        (x => x.Parts.Select(p => new Part { Name = p.Name }), "x.Parts.Select(p => new { Name = p.Name })"),
        (x => x.Parts.Select(p => new Pair(p.Name, p.Amount)), "x.Parts.Select(p => new { Name = p.Name, Count = p.Amount })"),
        (x => x.Parts.Exists(p => p.Amount == 4), "x.Parts.Any(p => p.Amount == 4)"),
        (x => x.Parts.Sum(p => p.Off), "x.Parts.Sum(p => p.Off)"),
        (x => x.Parts.Count(p => p.Price > p.Amount) * 2.5, "(double)x.Parts.Count(p => p.Price > (decimal)p.Amount) * 2.5"),
        (x => x.Parts.LongCount(p => p.Amount > 2), "x.Parts.Where(p => p.Amount > 2).LongCount()"),
        (x => x.Parts.OrderBy(p => p.At).Select(p => p.Name).ToArray(), "x.Parts.OrderBy(p => (DateTime)p.At).Select(p => p.Name).ToArray()"));

    [Fact]
    public void RegularExpressions_AreWrittenAsTheServerComputesThem() => Are(
        (x => x.Map["a"], "x.Map[\"a\"]"),
        (x => x.Map.ContainsKey("b"), "x.Map.ContainsKey(\"b\")"),
        (x => x.Map.Keys, "x.Map.Select(pair => pair.Key)"),
        (x => x.Map.Values.Sum(), "x.Map.Select(pair => pair.Value).Sum()"),
        (x => x.Map.Select(p => p.Key + p.Value), "x.Map.Select(p => string.Concat(p.Key, p.Value))"),
        (x => x.Map.First().Value, "x.Map.Select(pair => pair).First().Value"),
        (x => x.Map.Count, "x.Map.Count()"),
        (x => x.Places[5], "x.Places[\"5\"]"),
        (x => x.Places.Keys, "x.Places.Select(pair => (int)pair.Key)"),
        (x => x.Places.ContainsKey(5), "x.Places.ContainsKey(\"5\")"),
        (x => x.Places.Select(p => p.Key + 1), "x.Places.Select(p => (int)p.Key + 1)"),
        (x => s_table[x.S] + 1, "((dynamic)new Dictionary<string, object> { { \"Lamp\", 5 } })[x.S] + 1"),
        (x => x.Map.Where(p => p.Value > 1).Select(p => p.Key), "x.Map.Where(p => p.Value > 1).Select(p => p.Key)"));

    [Fact]
    public void Objects_AndCasts_AreWrittenAsTheServerComputesThem() => Are(
        (x => Regex.IsMatch(x.S, "^L"), "Regex.IsMatch(x.S, \"^L\")"),
        (x => s_regex.IsMatch(x.S), "Regex.IsMatch(x.S, \"^L\", RegexOptions.IgnoreCase)"),
        (x => Regex.Replace(x.S, "[aeiou]", "_"), "Regex.Replace(x.S, \"[aeiou]\", \"_\")"),
        (x => Regex.Match(x.S, "L(a)").Groups[1].Value, "Regex.Match(x.S, \"L(a)\").Groups[1].Value"),
        (x => Regex.IsMatch(x.S, "^l", RegexOptions.IgnoreCase), "Regex.IsMatch(x.S, \"^l\", RegexOptions.IgnoreCase)"));

    [Fact]
    public void More16_AreWrittenAsTheServerComputesThem() => Are(
        (x => new { x.A, B = new { x.S } }, "new { A = x.A, B = new { S = x.S } }"),
        (x => new[] { x.A, x.B }, "new[] { x.A, x.B }"),
        (x => new object[] { x.A, x.S }, "new[] { x.A, x.S }"),
        (x => new List<int> { x.A, 5 }, "new[] { x.A, 5 }"),
        (x => new Dictionary<string, object> { { "k", x.A } }, "(dynamic)new Dictionary<string, object> { { \"k\", x.A } }"),
        (x => (object)x.S, "x.S"),
        (x => (string)(object)x.S, "x.S"),
        (x => x.X ? x.Tags : new List<string>(), "x.X ? x.Tags : new dynamic[] { }"),
        (x => x.Tags ?? new List<string>(), "x.Tags ?? new dynamic[] { }"),
        (x => (x.T ?? x.S).ToLower(), "(x.T ?? x.S).ToLower()"),
        (x => x.T!.ToLower(), "x.T.ToLower()"));

    [GeneratedRegex("^L", RegexOptions.IgnoreCase)]
    private static partial Regex Pattern();

    private static void Are(params (Expression<Func<Sample, object?>> Expression, string Text)[] cases)
    {
        Assert.Equal(cases.Select(one => one.Text), cases.Select(one => IndexHarness.Of(one.Expression)));
        foreach ((Expression<Func<Sample, object?>> Expression, string Text)[] some in cases.Chunk(10))
        {
            IndexHarness.GivesSameValues([.. some.Select(one => one.Expression)], IndexSamples.Full);
        }
    }
}
