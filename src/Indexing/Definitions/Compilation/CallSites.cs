using System.Text;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>The calls of a definition whose overloads are chosen when they run, each once.</summary>
internal sealed class CallSites
{
    private readonly List<string> _sites = [];

    /// <summary>The expression for a call of a static method or constructor, to be followed by its arguments.</summary>
    public string OfType(string type, string member, string names) => Beginning($"OfType(\"{type}\", \"{member}\", \"{names}\")");

    /// <summary>The expression for a call of a method of an object, to be followed by the object and the arguments.</summary>
    /// <param name="type">Empty for a value.</param>
    public string OfObject(string type, string member, string names) => Beginning($"OfObject(\"{type}\", \"{member}\", \"{names}\")");

    /// <summary>The class with all calls.</summary>
    public void Write(StringBuilder code)
    {
        code.Append("internal static class ").Append(GeneratedNames.Calls).Append(" {\n");
        for (int i = 0; i < _sites.Count; i++)
        {
            code.Append($"public static readonly __LateCall c{i} = __LateCall.{_sites[i]};\n");
        }

        code.Append("}\n");
    }

    private string Beginning(string site)
    {
        int at = _sites.IndexOf(site);
        if (at < 0)
        {
            at = _sites.Count;
            _sites.Add(site);
        }

        return $"{GeneratedNames.Calls}.c{at}.Invoke(new object[] {{ ";
    }
}
