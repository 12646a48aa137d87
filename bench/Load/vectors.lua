-- Queries for wrk on the words of words.js. MODE: "vector" or "term"; WORD_GROUPS: values of Group; VECTORS: a file with one vector a line.
-- DATABASE: its name. SELECT: "ids" or "documents".
local mode = os.getenv("MODE")
local path = "/databases/" .. os.getenv("DATABASE") .. "/queries"
local select = os.getenv("SELECT") == "documents" and "" or " select id() as Id"
local groups = tonumber(os.getenv("WORD_GROUPS"))
local threads = 0
local vectors = {}
for line in io.lines(os.getenv("VECTORS")) do vectors[#vectors + 1] = line end

function setup(thread)
  threads = threads + 1
  thread:set("seed", os.time() * 64 + threads)
end

local where = mode == "vector" and "vector.search(Vector, $a)" or "Group = $a"
local head = '{"Query":"from Words where ' .. where .. select .. ' limit 10","QueryParameters":{"a":'
local json = { ["Content-Type"] = "application/json" }

function init(args)
  math.randomseed(seed)
end

function request()
  local value = mode == "vector" and vectors[math.random(1, #vectors)] or '"g' .. math.random(0, groups - 1) .. '"'
  return wrk.format("POST", path, json, head .. value .. "}}")
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("RESULT %.1f %.0f %.0f %.0f %d\n", summary.requests / (summary.duration / 1e6), latency:percentile(50),
    latency:percentile(99), latency:percentile(99.9), errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
