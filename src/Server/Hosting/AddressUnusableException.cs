using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Hosting;

/// <summary>The configured address cannot be listened on: unknown host, port in use, not allowed.</summary>
internal sealed class AddressUnusableException(ListenAddress address, Exception cause)
    : Exception($"ServerUrl = '{address}' cannot be listened on: {cause.Message.TrimEnd('.')}. Give another address or port.", cause);
