using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Net;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.BulkInserts;

/// <summary>Stores a large number of documents by one request, in transactions that the server chooses. When it ends early, what was stored
/// stays.</summary>
/// <remarks>Calls of several threads take turns. It must be disposed: only then is it certain that everything is stored, and disposal throws
/// errors, too.</remarks>
public sealed class BulkInsertOperation : IAsyncDisposable
{
    /// <summary>The ASCII characters that JSON escapes.</summary>
    private static readonly SearchValues<char> s_escaped =
        SearchValues.Create(string.Concat(Enumerable.Range(0, 0x20).Append('"').Append('\\').Append(0x7f).Select(c => (char)c)));

    private readonly EntityConverter _converter;
    private readonly HiLoIdGenerator _ids;
    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly Pipe _pipe = new(new PipeOptions(pauseWriterThreshold: 4 << 20, resumeWriterThreshold: 2 << 20, minimumSegmentSize: 64 * 1024));
    private readonly ArrayBufferWriter<byte> _members = new(1024);
    private readonly Dictionary<Type, byte[]> _metadata = [];
    private readonly CancellationTokenSource _abort = new();
    private readonly Task _sending;
    private bool _isFirst = true;
    private bool _isEnded;

    internal BulkInsertOperation(RequestExecutor executor, EntityConverter converter, HiLoIdGenerator ids)
    {
        (_converter, _ids) = (converter, ids);
        _sending = Task.Run(() => SendAsync(executor));
    }

    /// <summary>Number of documents stored so far.</summary>
    public long Count { get; private set; }

    /// <summary>Stores an object. Its id is the value of its id property, or a new id of its collection.</summary>
    /// <returns>The id.</returns>
    /// <exception cref="BulkInsertAbortedException">The server has ended the request; the message says why.</exception>
    public async Task<string> StoreAsync(object entity, string? id = null, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(entity);
        id ??= _converter.GetId(entity) is { Length: > 0 } own ? own : null;
        if (id is { Length: 0 } or [.., '/' or '|'])
        {
            throw new ArgumentException(
                $"'{id}' is not a whole id, and a bulk insert does not learn ids that the server makes. "
                + "Give no id for one that this client makes.", nameof(id));
        }

        _converter.CheckStorable(entity);
        id ??= await _ids.NewIdAsync(_converter, entity, isAsync: true, token).ConfigureAwait(false);
        _converter.SetId(entity, id);
        await _turn.WaitAsync(token).ConfigureAwait(false);
        try
        {
            ObjectDisposedException.ThrowIf(_isEnded, this);
            Write(entity, id);
            Count++;
            FlushResult flushed = await _pipe.Writer.FlushAsync(token).ConfigureAwait(false);
            if (flushed.IsCompleted)
            {
                await FailAsync().ConfigureAwait(false);
            }
        }
        finally
        {
            _turn.Release();
        }

        return id;
    }

    /// <summary>Aborts the request. Documents that are on the way may be stored or not.</summary>
    public async Task AbortAsync()
    {
        _isEnded = true;
        await _abort.CancelAsync().ConfigureAwait(false);
        await _sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Sends the rest, and waits until everything is stored.</summary>
    /// <exception cref="BulkInsertAbortedException">Not everything was stored.</exception>
    public async ValueTask DisposeAsync()
    {
        if (!_isEnded)
        {
            _isEnded = true;
            _pipe.Writer.Write(_isFirst ? "[]"u8 : "]"u8);
            await _pipe.Writer.CompleteAsync().ConfigureAwait(false);
            try
            {
                await _sending.ConfigureAwait(false);
            }
            catch (DocumentDatabaseException failure)
            {
                throw Aborted(failure);
            }
        }

        _turn.Dispose();
        _abort.Dispose();
    }

    private void Write(object entity, string id)
    {
        // What may fail comes first, so that an object that cannot be written leaves no trace.
        _members.ResetWrittenCount();
        _converter.WriteMembers(entity, default, id, _members);
        byte[] metadata = MetadataOf(entity.GetType());
        JsonEncodedText? encodedId = IsPlain(id) ? null : JsonEncodedText.Encode(id, JavaScriptEncoder.UnsafeRelaxedJsonEscaping);
        PipeWriter output = _pipe.Writer;
        output.Write(_isFirst ? "["u8 : ","u8);
        _isFirst = false;
        output.Write("{\"Type\":\"PUT\",\"Id\":\""u8);
        if (encodedId is { } encoded)
        {
            output.Write(encoded.EncodedUtf8Bytes);
        }
        else
        {
            Encoding.ASCII.GetBytes(id, output);
        }

        output.Write("\",\"Document\":{"u8);
        output.Write(_members.WrittenSpan);
        if (_members.WrittenCount > 0)
        {
            output.Write(","u8);
        }

        output.Write(metadata);
        output.Write("}}"u8);
    }

    // The same for all objects of a type.
    private byte[] MetadataOf(Type type)
    {
        if (!_metadata.TryGetValue(type, out byte[]? text))
        {
            using var json = new MemoryStream();
            json.Write("\"@metadata\":"u8);
            json.Write(JsonText.Object(members =>
            {
                if (_converter.Conventions.GetCollectionName(type) is { } collection)
                {
                    members.WriteString("@collection"u8, collection);
                    members.WriteString("Raven-Clr-Type"u8, EntityConverter.ClrName(type));
                }
            }).Span);
            text = json.ToArray();
            _metadata.Add(type, text);
        }

        return text;
    }

    private static bool IsPlain(string text) => Ascii.IsValid(text) && !text.AsSpan().ContainsAny(s_escaped);

    private async Task SendAsync(RequestExecutor executor)
    {
        executor.Tracker.MarkWritten([], []); // anything may have changed
        try
        {
            long id = await NextOperationAsync(executor).ConfigureAwait(false);
            var message = new RequestMessage
            {
                Method = HttpMethod.Post,
                Path = string.Create(CultureInfo.InvariantCulture, $"bulk_insert?id={id}"),
                Content = () => new PipeContent(_pipe.Reader),
            };
            using HttpResponseMessage response = await executor.OpenAsync(message, isAsync: true, _abort.Token).ConfigureAwait(false);
        }
        finally
        {
            executor.Tracker.MarkWritten([], []);
            await _pipe.Reader.CompleteAsync().ConfigureAwait(false); // a writer that waits for space must not wait forever
        }
    }

    private static async Task<long> NextOperationAsync(RequestExecutor executor)
    {
        RequestAnswer answer = await executor.SendAsync(
            new RequestMessage { Method = HttpMethod.Get, Path = "operations/next-operation-id", IsRead = true }, isAsync: true, default).ConfigureAwait(false);
        using JsonDocument json = AnswerJson.Parse(answer.Body);
        return json.RootElement.RequiredNumber("Id"u8);
    }

    private async Task FailAsync()
    {
        _isEnded = true;
        await _sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        throw Aborted(_sending.Exception?.InnerException);
    }

    private static BulkInsertAbortedException Aborted(Exception? cause) =>
        new($"The bulk insert ended before everything was stored: {cause?.Message ?? "the server has closed the request."}", cause);

    /// <summary>A content that sends what is written to a pipe.</summary>
    private sealed class PipeContent(PipeReader reader) : HttpContent
    {
        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => CopyAsync(stream, default);

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken) =>
            CopyAsync(stream, cancellationToken);

        protected override bool TryComputeLength(out long length)
        {
            length = -1;
            return false;
        }

        private async Task CopyAsync(Stream stream, CancellationToken token)
        {
            while (true)
            {
                ReadResult read = await reader.ReadAsync(token).ConfigureAwait(false);
                foreach (ReadOnlyMemory<byte> segment in read.Buffer)
                {
                    await stream.WriteAsync(segment, token).ConfigureAwait(false);
                }

                reader.AdvanceTo(read.Buffer.End);
                if (read.IsCompleted)
                {
                    return;
                }

                await stream.FlushAsync(token).ConfigureAwait(false);
            }
        }
    }
}
