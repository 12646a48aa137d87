using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Commands;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Net.Http.Headers;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>The body of bulk_docs with attachments: a multipart body whose first part is the JSON of the commands; the others are the contents of
/// its attachments, in the order of their commands.</summary>
/// <remarks>Names and types of parts differ between clients and are ignored.</remarks>
internal sealed class BatchAttachments : IAsyncDisposable
{
    /// <summary>The longest boundary, in characters. The standard (RFC 2046, section 5.1.1) allows 70.</summary>
    private const int BoundaryCharsMax = 200;

    private readonly RequestContext _context;
    private readonly MultipartReader? _parts;
    private readonly HeldContents _contents;
    private readonly UploadAdmission _waiting;
    private long _mainBytes;
    private int _received;

    private BatchAttachments(RequestContext context, MultipartReader? parts)
    {
        _context = context;
        _parts = parts;
        _contents = new HeldContents(context.Database);
        _waiting = new UploadAdmission(context.Server.WaitingBatches);
    }

    /// <summary>Begins to read a body of any kind.</summary>
    public static BatchAttachments Open(RequestContext context)
    {
        string type = context.Request.ContentType ?? "";
        if (!type.StartsWith("multipart/", StringComparison.OrdinalIgnoreCase))
        {
            return new BatchAttachments(context, null);
        }

        bool isReadable = MediaTypeHeaderValue.TryParse(type, out MediaTypeHeaderValue? parsed);
        string boundary = isReadable ? HeaderUtilities.RemoveQuotes(parsed!.Boundary).ToString() : "";
        return boundary.Length is > 0 and <= BoundaryCharsMax
            ? new BatchAttachments(context, new MultipartReader(boundary, RequestBodyReader.Open(context)))
            : throw Refuse($"The Content-Type has no boundary of 1 to {BoundaryCharsMax} characters; send multipart/mixed; boundary=...");
    }

    /// <summary>Reads the JSON of the commands.</summary>
    public async ValueTask<RequestBody> ReadMainAsync()
    {
        if (_parts is null)
        {
            return await RequestBodyReader.ReadAsync(_context, BatchParser.BatchBytesMax, "A batch").ConfigureAwait(false);
        }

        try
        {
            MultipartSection section = await _parts.ReadNextSectionAsync(_context.Aborted).ConfigureAwait(false)
                ?? throw Refuse("The multipart body has no part; send the JSON of the commands as the first one.");
            RequestBody body = await RequestBodyReader.ReadPartAsync(
                _context, section.Body, EncodingsOf(section), BatchParser.BatchBytesMax, "A batch").ConfigureAwait(false);
            _mainBytes = body.Span.Length;
            return body;
        }
        catch (Exception failure) when (Explain(failure) is { } refusal)
        {
            throw refusal;
        }
    }

    /// <summary>Receives the contents of all commands that put attachments.</summary>
    /// <param name="main">The parsed JSON. It returns its place among the large bodies, because contents may arrive for hours and others wait for the
    /// place.</param>
    /// <param name="commands">Their memory is counted separately until this object is disposed.</param>
    public async ValueTask ReceiveAsync(RequestBody main, ReadOnlyMemory<DocumentCommand> commands)
    {
        if (_parts is not null && main.HasPlace)
        {
            _waiting.GrowTo(_mainBytes * (HttpLimits.LargeBodyMemoryBytes / BatchParser.BatchBytesMax));
            main.LeavePlace();
        }

        for (int i = 0; i < commands.Length; i++)
        {
            if (commands.Span[i] is PutAttachmentCommand put)
            {
                put.Content = await ReceiveAsync(i).ConfigureAwait(false);
            }
        }

        if (_parts is not null && await NextAsync().ConfigureAwait(false) is not null)
        {
            throw Refuse($"The multipart body has more parts than the {_received} attachments of its commands; send one for each AttachmentPUT.");
        }
    }

    public ValueTask DisposeAsync()
    {
        _waiting.Dispose();
        return _contents.DisposeAsync();
    }

    private async ValueTask<ReceivedContent> ReceiveAsync(int command)
    {
        MultipartSection part = await NextAsync().ConfigureAwait(false) ?? throw Refuse(_parts is null
            ? $"Command {command} is an AttachmentPUT, and the body is not multipart; send the JSON as the first part and each content as a part after it."
            : $"The content for command {command}, an AttachmentPUT, is missing: the multipart body has only {_received} parts after the JSON.");
        _received++;
        try
        {
            await AttachmentBodies.ReceiveAsync(_context, part.Body, _contents.Begin()).ConfigureAwait(false);
        }
        catch (Exception failure) when (Explain(failure) is { } refusal)
        {
            throw refusal;
        }

        return await _contents.FinishAsync(_context.Aborted).ConfigureAwait(false);
    }

    private async ValueTask<MultipartSection?> NextAsync()
    {
        try
        {
            return _parts is null ? null : await _parts.ReadNextSectionAsync(_context.Aborted).ConfigureAwait(false);
        }
        catch (Exception failure) when (Explain(failure) is { } refusal)
        {
            throw refusal;
        }
    }

    // The reader of parts throws these exceptions when a body does not end correctly, or when headers are too long.
    private RequestRefusedException? Explain(Exception failure) =>
        failure is InvalidDataException or IOException && !MessageLength.IsChunkTooLarge(failure) && !_context.Aborted.IsCancellationRequested
            ? Refuse($"The multipart body cannot be read: {failure.Message} Nothing of this batch was written.", closes: true)
            : AttachmentBodies.Explain(_context, failure);

    private static string EncodingsOf(MultipartSection section) =>
        section.Headers is { } headers && headers.TryGetValue(HeaderNames.ContentEncoding, out var encodings) ? encodings.ToString() : "";

    private static RequestRefusedException Refuse(string message, bool closes = false) =>
        new(Problem.BadRequest(message) with { CloseConnection = closes });
}
