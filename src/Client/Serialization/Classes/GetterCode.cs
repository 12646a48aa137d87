using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>What the compiled code of a property's getter reads.</summary>
/// <remarks>A class need not name its fields by any convention: <c>Items => _i</c> says itself where the value is.</remarks>
internal sealed class GetterCode
{
    private static readonly Dictionary<short, OpCode> s_codes = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => code.Value);

    // Calls that give the same elements in another collection.
    private static readonly HashSet<string> s_wrapping = new(StringComparer.Ordinal)
    {
        "AsReadOnly", "AsEnumerable", "ToList", "ToArray", "ToHashSet", "ToImmutableList", "ToImmutableArray", "ToImmutableHashSet", "ToImmutableDictionary",
        "ToFrozenSet", "ToFrozenDictionary", "op_Implicit", "Empty", "get_Empty", ".ctor",
    };

    private readonly HashSet<FieldInfo> _fields = [];
    private readonly List<MethodBase> _calls = [];
    private bool _isPlain = true; // nothing but reading and returning

    private GetterCode()
    {
    }

    /// <summary>The fields of the object that the getter reads.</summary>
    public IReadOnlyCollection<FieldInfo> Fields => _fields;

    /// <summary>What it calls.</summary>
    public IReadOnlyList<MethodBase> Calls => _calls;

    /// <summary>The field whose value the getter returns, or whose elements in another collection; null if it returns something else.</summary>
    public FieldInfo? Returned
    {
        get
        {
            if (_fields.Count != 1)
            {
                return null;
            }

            FieldInfo only = _fields.First();
            bool isWrapped = CollectionFilling.IsCollection(only.FieldType)
                && _calls.TrueForAll(call => s_wrapping.Contains(call.Name) && ClassContract.IsOfRuntime(call.DeclaringType!));
            return _isPlain || isWrapped ? only : null;
        }
    }

    /// <summary>Reads a getter.</summary>
    /// <returns>Null if it has no code that can be read.</returns>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
    public static GetterCode? Of(PropertyInfo property)
    {
        if (property.GetGetMethod(nonPublic: true) is not { IsAbstract: false } getter || getter.GetMethodBody()?.GetILAsByteArray() is not { } code)
        {
            return null;
        }

        var found = new GetterCode();
        Type declaring = property.DeclaringType!;
        Type[]? arguments = declaring.IsGenericType ? declaring.GetGenericArguments() : null;
        for (int at = 0; at < code.Length;)
        {
            short value = code[at] == 0xfe && at + 1 < code.Length ? unchecked((short)(0xfe00 | code[at + 1])) : code[at];
            if (!s_codes.TryGetValue(value, out OpCode operation))
            {
                return null;
            }

            int operand = at + operation.Size;
            if (operation.OperandType is not (OperandType.InlineField or OperandType.InlineMethod))
            {
                found.Take(operation, null);
            }
            else if (Resolve(declaring, BitConverter.ToInt32(code, operand), arguments) is { } member)
            {
                found.Take(operation, member);
            }
            else
            {
                return null;
            }

            at = operand + SizeOf(operation, code, operand);
        }

        return found;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
    private static MemberInfo? Resolve(Type declaring, int token, Type[]? arguments)
    {
        try
        {
            return declaring.Module.ResolveMember(token, arguments, null);
        }
        catch (Exception missing) when (missing is ArgumentException or IOException or BadImageFormatException or TypeLoadException or MissingMemberException)
        {
            return null; // what it refers to is not there
        }
    }

    private void Take(OpCode operation, MemberInfo? member)
    {
        switch (member)
        {
            case FieldInfo { IsStatic: false } field:
                _fields.Add(field);
                _isPlain &= operation == OpCodes.Ldfld;
                break;
            case MethodBase method:
                _calls.Add(method);
                _isPlain = false;
                break;
            default:
                _isPlain &= IsMove(operation);
                break;
        }
    }

    // Compilers without optimisation put the value into a local variable first.
    private static bool IsMove(OpCode operation) =>
        operation.Name is "nop" or "ldarg.0" or "ret" or "br.s" or "br" || operation.Name!.StartsWith("stloc", StringComparison.Ordinal)
        || operation.Name.StartsWith("ldloc.", StringComparison.Ordinal);

    private static int SizeOf(OpCode operation, byte[] code, int operand) => operation.OperandType switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(code, operand)),
        _ => 4,
    };
}
