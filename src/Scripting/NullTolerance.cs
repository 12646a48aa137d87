using Jint;
using Jint.Native;
using Jint.Runtime;
using Jint.Runtime.Interop;

namespace Jackdaw.Scripting;

/// <summary>A member of null or undefined is null or undefined again, and so is a call of it. A path through a document that was not found, or that
/// lacks a part, therefore gives nothing instead of an error.</summary>
/// <remarks>Calls of existing values that are not functions are still errors. So are unknown names and writes.</remarks>
internal sealed class NullTolerance : IReferenceResolver
{
    public static readonly NullTolerance Instance = new();

    public const ReferenceResolverInterests Interests =
        ReferenceResolverInterests.NullishPropertyBase | ReferenceResolverInterests.NonCallableCallee;

    public bool TryUnresolvableReference(Engine engine, Reference reference, out JsValue value)
    {
        value = JsValue.Undefined;
        return false;
    }

    public bool TryPropertyReference(Engine engine, Reference reference, ref JsValue value) => value.IsNothing();

    public bool TryGetCallable(Engine engine, object callee, out JsValue value)
    {
        value = JsValue.Undefined;
        if (callee is not Reference { IsPropertyReference: true } reference || !reference.Base.IsNothing())
        {
            return false;
        }

        JsValue nothing = reference.Base;
        value = new ClrFunction(engine, "nothing", (_, _) => nothing);
        return true;
    }

    public bool CheckCoercible(JsValue value) => true;
}
