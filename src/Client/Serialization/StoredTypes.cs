using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Json;

namespace Jackdaw.Client.Serialization;

/// <summary>Finds the derived type that a document was stored as, where it is read as its base type.</summary>
/// <remarks>A document says its type in its metadata. The name may have been written by anybody, so it is taken only if it is that of a type that
/// derives from the requested one, in an assembly that is loaded.</remarks>
internal sealed class StoredTypes(DocumentSerializer serializer)
{
    /// <summary>Names that are remembered, since anybody can write new ones.</summary>
    private const int NamesMax = 4096;

    private readonly ConcurrentDictionary<(Type, string), Type> _found = new();
    private readonly ConcurrentDictionary<Type, byte[]> _own = new();

    private static ReadOnlySpan<byte> Member => "\"Raven-Clr-Type\":\""u8;

    /// <summary>The type to read a document as.</summary>
    public Type Find(Type type, ReadOnlySpan<byte> document)
    {
        if (type.IsSealed || type == typeof(object) || !serializer.IsReflecting || document.IndexOf(Member) is not (>= 0 and int start))
        {
            return type;
        }

        ReadOnlySpan<byte> name = document[(start + Member.Length)..];
        name = name[..Math.Max(name.IndexOf((byte)'"'), 0)];
        byte[] own = _own.GetOrAdd(type, static type => Encoding.UTF8.GetBytes(EntityConverter.ClrName(type)));
        return name.SequenceEqual(own) || SaysItsType(type, document) ? type : Find(type, Encoding.UTF8.GetString(name));
    }

    // The name is written first. The serializer finds the derived type itself.
    private bool SaysItsType(Type type, ReadOnlySpan<byte> document) =>
        serializer.TypeInfo(type).PolymorphismOptions is { } options
        && document.StartsWith(Encoding.UTF8.GetBytes($"{{\"{options.TypeDiscriminatorPropertyName}\":"));

    private Type Find(Type type, string escaped)
    {
        if (_found.TryGetValue((type, escaped), out Type? known))
        {
            return known;
        }

        string name = escaped.Contains('\\', StringComparison.Ordinal) ? JsonSerializer.Deserialize($"\"{escaped}\"", PlainTypesJson.Default.String)! : escaped;
        Type found = TypeOf(name, type) ?? type;
        if (_found.Count < NamesMax)
        {
            _found[(type, escaped)] = found;
        }

        return found;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A type that was trimmed away cannot be that of a document.")]
    private static Type? TypeOf(string name, Type requested)
    {
        int comma = name.LastIndexOf(", ", StringComparison.Ordinal);
        string assembly = comma < 0 ? "" : name[(comma + 2)..];
        return comma < 0 ? null : AppDomain.CurrentDomain.GetAssemblies()
            .Where(one => one.GetName().Name == assembly).Select(one => one.GetType(name[..comma]))
            .FirstOrDefault(one => one is { IsAbstract: false } && one.IsAssignableTo(requested));
    }
}
