using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using Jackdaw.Indexing.Definitions.Library;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Decides whether a compiled definition may be loaded: what it names outside itself must be in
/// <see cref="AllowedMembers"/>.</summary>
/// <remarks>It reads the tables of the emitted assembly, which was just compiled or comes from a cache. Code can call nothing that
/// is not in these tables. The earlier checks of the syntax only give better messages.</remarks>
internal static class EmittedAssemblyGate
{
    /// <summary>Collections and builders whose constructors take a capacity: it could reserve too much memory.</summary>
    private static readonly HashSet<string> s_sizedTypes =
    [
        "System.Collections.Generic.List`1", "System.Collections.Generic.HashSet`1",
        "System.Collections.Generic.Dictionary`2", "System.Text.StringBuilder",
    ];

    /// <summary>The first name that is not allowed; null if all are allowed.</summary>
    /// <param name="library">What the code may name.</param>
    public static string? FindRefused(byte[] assembly, CodeLibrary library)
    {
        using var reader = new PEReader(new MemoryStream(assembly));
        MetadataReader metadata = reader.GetMetadataReader();
        return FindNative(reader, metadata)
            ?? metadata.TypeReferences.Select(handle => NameOf(metadata, handle))
                .FirstOrDefault(type => !library.Allows(type, null))
            ?? metadata.MemberReferences.Select(handle => FindRefused(metadata, metadata.GetMemberReference(handle), library))
                .FirstOrDefault(refused => refused is not null)
            ?? metadata.MethodDefinitions.Select(handle => FindRefused(metadata, metadata.GetMethodDefinition(handle)))
                .FirstOrDefault(refused => refused is not null);
    }

    private static string? FindNative(PEReader reader, MetadataReader metadata) =>
        reader.PEHeaders.CorHeader is not { } header || !header.Flags.HasFlag(CorFlags.ILOnly) ? "native code"
        : metadata.GetTableRowCount(TableIndex.ImplMap) > 0 ? "a native import"
        : metadata.GetTableRowCount(TableIndex.ModuleRef) > 0 ? "another module"
        : metadata.GetTableRowCount(TableIndex.ManifestResource) > 0 ? "a resource"
        : null;

    private static string? FindRefused(MetadataReader metadata, MemberReference member, CodeLibrary library)
    {
        string? type = member.Parent.Kind switch
        {
            HandleKind.TypeReference => NameOf(metadata, (TypeReferenceHandle)member.Parent),
            HandleKind.TypeSpecification => NameOf(metadata, (TypeSpecificationHandle)member.Parent),
            HandleKind.TypeDefinition or HandleKind.MethodDefinition => null,
            _ => "a member of a module",
        };
        if (type is null)
        {
            return null;
        }

        string name = metadata.GetString(member.Name);
        bool isSized = name == ".ctor" && s_sizedTypes.Contains(type) && TakesInteger(metadata, member);
        return isSized ? $"{type} with a capacity"
            : library.Allows(type, name) ? null
            : $"{type}.{name}";
    }

    private static string? FindRefused(MetadataReader metadata, MethodDefinition method)
    {
        string name = metadata.GetString(method.Name);
        string type = metadata.GetString(metadata.GetTypeDefinition(method.GetDeclaringType()).Name);
        return (method.Attributes & MethodAttributes.PinvokeImpl) != 0 ? "a native import"
            : name == "Finalize" ? "a finalizer"
            : name == ".cctor" && type == "<Module>" ? "a module initializer"
            : null;
    }

    private static string NameOf(MetadataReader metadata, TypeReferenceHandle handle)
    {
        TypeReference type = metadata.GetTypeReference(handle);
        string name = metadata.GetString(type.Name);
        return type.ResolutionScope.Kind == HandleKind.TypeReference
            ? NameOf(metadata, (TypeReferenceHandle)type.ResolutionScope) + "/" + name
            : metadata.GetString(type.Namespace) + "." + name;
    }

    /// <summary>The generic type of an instantiation; null for a type of the assembly itself, and for arrays, whose members
    /// the runtime makes.</summary>
    private static string? NameOf(MetadataReader metadata, TypeSpecificationHandle handle)
    {
        BlobReader signature = metadata.GetBlobReader(metadata.GetTypeSpecification(handle).Signature);
        if (signature.ReadSignatureTypeCode() != SignatureTypeCode.GenericTypeInstance)
        {
            return null;
        }

        signature.ReadCompressedInteger();
        EntityHandle type = signature.ReadTypeHandle();
        return type.Kind == HandleKind.TypeReference ? NameOf(metadata, (TypeReferenceHandle)type) : null;
    }

    private static bool TakesInteger(MetadataReader metadata, MemberReference member)
    {
        BlobReader signature = metadata.GetBlobReader(member.Signature);
        signature.ReadByte();
        int parameters = signature.ReadCompressedInteger();
        signature.ReadByte();
        return parameters > 0 && signature.ReadByte() == (byte)SignatureTypeCode.Int32;
    }
}
