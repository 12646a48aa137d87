-- Requests for wrk, chosen by MODE (environment): put, get, mix (95 % get, 5 % put), not-modified, bulk-docs, patch (a script
-- over a loaded document), increment (of a counter of a loaded document), query (of the orders of a company, 25 documents).
-- DOCS: documents loaded before (see scatteredId in gen-orders.js); SAMPLE: file with one document per line; DATABASE:
-- its name.
local mode = os.getenv("MODE") or "get"
local loaded = tonumber(os.getenv("DOCS") or "1000000")
local path = "/databases/" .. (os.getenv("DATABASE") or "bench")
local BATCH = 100
local SAMPLES_MAX = 2000
local threads = 0

-- Different documents: a server that compresses would otherwise be measured on copies of one.
local samples = {}
if mode == "put" or mode == "mix" or mode == "bulk-docs" then
  for line in io.lines(os.getenv("SAMPLE")) do
    samples[#samples + 1] = line
    if #samples == SAMPLES_MAX then break end
  end
end

-- Every thread of wrk is a Lua state of its own and needs a seed of its own, or all of them would write the same ids.
function setup(thread)
  threads = threads + 1
  thread:set("seed", os.time() * 64 + threads)
end

local json = { ["Content-Type"] = "application/json" }
local ID = "@id@"
local document = path .. "/docs?id=orders/" .. ID

-- A request as text around its id. Made once: a generator that builds headers for each request takes processor time from
-- the server beside it, and twice as much for each request of a mix as for a plain read.
local function around_id(request)
  local from, to = request:find(ID, 1, true)
  return request:sub(1, from - 1), request:sub(to + 1)
end

-- Documents stand outside of Lua's heap: the collector lets as much garbage gather as there is heap, and a generator that walks
-- through megabytes of it takes the processors' caches from the server beside it.
local ffi = require("ffi")
ffi.cdef("void *malloc(size_t bytes);")

local get_head, get_tail
local put_buffer, put_id, put_tails, put_tail_bytes, sample_count

local function outside(type, count)
  return ffi.cast(type .. "*", ffi.C.malloc(ffi.sizeof(type) * count))
end

local function prepare_puts()
  put_tails, put_tail_bytes = outside("char *", #samples), outside("int32_t", #samples)
  local head, longest
  for i, sample in ipairs(samples) do
    local tail
    head, tail = around_id(wrk.format("PUT", document, json, sample))
    put_tails[i - 1], put_tail_bytes[i - 1] = outside("char", #tail), #tail
    ffi.copy(put_tails[i - 1], tail, #tail)
    longest = math.max(longest or 0, #tail)
  end
  put_buffer = outside("char", #head + 32 + longest)
  ffi.copy(put_buffer, head, #head)
  put_id = put_buffer + #head
end

function init(args)
  math.randomseed(seed)
  get_head, get_tail = around_id(wrk.format("GET", document))
  if mode == "put" or mode == "mix" then
    prepare_puts()
    sample_count, samples = #samples, nil
    collectgarbage()
  end
end

local function stored_id()
  return string.format("%.0f", math.random(1, loaded) * 4294967291 % 999999999989)
end

-- New documents have ids above every loaded one.
local function new_id()
  return string.format("%.0f", 1e12 + math.random() * 8e15)
end

local function get()
  return get_head .. stored_id() .. get_tail
end

local function put()
  local id, i = new_id(), math.random(0, sample_count - 1)
  ffi.copy(put_id, id, #id)
  ffi.copy(put_id + #id, put_tails[i], put_tail_bytes[i])
  return ffi.string(put_buffer, put_id - put_buffer + #id + put_tail_bytes[i])
end

-- The change vector of one loaded document, asked for once: the answer to the request itself must be 304.
local etag = os.getenv("ETAG")
local etag_path = os.getenv("ETAG_PATH")

local function not_modified()
  return wrk.format("GET", etag_path, { ["If-None-Match"] = etag })
end

local function bulk_docs()
  local parts = {}
  for i = 1, BATCH do
    parts[#parts + 1] = (i == 1 and '{"Commands":[{"Id":"orders/' or ',{"Id":"orders/') .. new_id() .. '","ChangeVector":null,"Type":"PUT","Document":'
    parts[#parts + 1] = samples[math.random(1, #samples)]
    parts[#parts + 1] = "}"
  end
  parts[#parts + 1] = "]}"
  return wrk.format("POST", path .. "/bulk_docs", json, table.concat(parts))
end

local function mixed()
  if math.random() < 0.05 then return put() end
  return get()
end

local patch_body = '{"Patch":{"Script":"this.Visits = (this.Visits || 0) + args.by;","Values":{"by":1}}}'

local function patch()
  return wrk.format("PATCH", path .. "/docs?id=orders/" .. stored_id(), json, patch_body)
end

local function increment()
  return wrk.format("POST", path .. "/counters", json, '{"Documents":[{"DocumentId":"orders/' .. stored_id() ..
    '","Operations":[{"Type":"Increment","CounterName":"visits","Delta":1}]}]}')
end

local function query()
  return wrk.format("POST", path .. "/queries", json, '{"Query":"from Orders where Company = $a limit 25","QueryParameters":{"a":"companies/' ..
    math.random(1, 1000) .. '"}}')
end

local makers = { query = query, patch = patch, increment = increment, put = put, get = get, mix = mixed, ["not-modified"] = not_modified, ["bulk-docs"] = bulk_docs }
request = makers[mode] or error("unknown MODE " .. mode)

-- One line that scripts read; the errors are part of it, because a server that refuses is fast.
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("RESULT %.1f %.0f %.0f %.0f %d\n", summary.requests / (summary.duration / 1e6), latency:percentile(50),
    latency:percentile(99), latency:percentile(99.9), errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
