// The work of the corridor as a plain kernel: recorded columns in memory, the venue's book and ours, a maker with one
// order a side, entry and report latency, queue position, fills, exact fees. No ids, no controls, no events: what is left
// when everything that is not arithmetic is taken away. With --digest also the running hash over all that the market told,
// as our journal keeps it (`src/core/journal/market-hash.ts`); a trade's id is a number here and no text.
// Usage: kernel [--digest] COLUMNS...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

using std::int32_t;
using std::int64_t;
using Amount = __int128;

namespace {

constexpr int64_t entryMicros = 15'000, reportMicros = 15'000, pauseMicros = 1'000'000;
constexpr int32_t away = 2, driftMax = 20;
constexpr int64_t orderLots = 10;

enum class Kind : uint8_t { snapshot = 0, update = 1, trades = 2 };

struct Columns {
  uint32_t messages = 0, levels = 0, trades = 0;
  double makeRate = 0;
  std::vector<uint8_t> kind, levelSide, tradeSide;
  std::vector<int64_t> exchange, receive;
  std::vector<uint32_t> from, to;
  std::vector<int32_t> levelPrice, levelLots, tradePrice, tradeLots;
};

template <typename T>
void readInto(std::FILE* file, std::vector<T>& column, uint32_t count) {
  column.resize(count);
  if (count > 0 && std::fread(column.data(), sizeof(T), count, file) != count) std::exit(3);
}

Columns readColumns(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) std::exit(3);
  Columns c;
  uint32_t head[4];
  if (std::fread(head, sizeof(uint32_t), 4, file) != 4 || head[0] != 0x31435747) std::exit(3);
  if (std::fread(&c.makeRate, sizeof(double), 1, file) != 1) std::exit(3);
  c.messages = head[1];
  c.levels = head[2];
  c.trades = head[3];
  readInto(file, c.exchange, c.messages);
  readInto(file, c.receive, c.messages);
  readInto(file, c.from, c.messages);
  readInto(file, c.to, c.messages);
  readInto(file, c.levelPrice, c.levels);
  readInto(file, c.levelLots, c.levels);
  readInto(file, c.tradePrice, c.trades);
  readInto(file, c.tradeLots, c.trades);
  readInto(file, c.kind, c.messages);
  readInto(file, c.levelSide, c.levels);
  readInto(file, c.tradeSide, c.trades);
  std::fclose(file);
  return c;
}

/** One side by key (price for bids, its negative for asks): a window of ticks with a bitmap, the rest in a map. */
class Ladder {
 public:
  static constexpr int64_t width = 65'536, mask = width - 1;

  void clear() {
    std::fill(lots_.begin(), lots_.end(), 0);
    std::fill(words_.begin(), words_.end(), 0);
    std::fill(groups_.begin(), groups_.end(), 0);
    far_.clear();
    near_ = 0;
  }

  bool empty() const { return near_ == 0; }
  int64_t best() const { return best_; }

  int64_t at(int64_t key) const {
    if (key >= low_ && key < low_ + width) return lots_[key & mask];
    const auto found = far_.find(key);
    return found == far_.end() ? 0 : found->second;
  }

  void set(int64_t key, int64_t lots) {
    if (near_ == 0) {
      if (lots == 0) return;
      low_ = key - width / 4 * 3;
    }
    if (key < low_) {
      if (lots == 0) far_.erase(key);
      else far_[key] = lots;
      return;
    }
    if (key >= low_ + width) {
      if (lots == 0) return;
      move(key - width / 4 * 3);
    }
    const int64_t slot = key & mask;
    const int64_t before = lots_[slot];
    lots_[slot] = lots;
    if (before == 0 && lots != 0) {
      mark(slot);
      near_ += 1;
      if (near_ == 1 || key > best_) best_ = key;
    } else if (before != 0 && lots == 0) {
      unmark(slot);
      near_ -= 1;
      if (key == best_) lost();
    }
  }

 private:
  std::vector<int64_t> lots_ = std::vector<int64_t>(width);
  std::vector<uint64_t> words_ = std::vector<uint64_t>(width / 64);
  std::vector<uint64_t> groups_ = std::vector<uint64_t>(width / 4096);
  std::map<int64_t, int64_t> far_;
  int64_t low_ = 0, best_ = 0, near_ = 0;

  void mark(int64_t slot) {
    words_[slot >> 6] |= 1ULL << (slot & 63);
    groups_[slot >> 12] |= 1ULL << ((slot >> 6) & 63);
  }

  void unmark(int64_t slot) {
    if ((words_[slot >> 6] &= ~(1ULL << (slot & 63))) == 0) groups_[slot >> 12] &= ~(1ULL << ((slot >> 6) & 63));
  }

  /** The best key has gone: the next one below, around the circle; then the window follows. */
  void lost() {
    if (near_ == 0) {
      if (!far_.empty()) move(far_.rbegin()->first - width / 4 * 3);
      return;
    }
    best_ = below(best_);
    if (!far_.empty() && best_ < low_ + width / 4) move(best_ - width / 4 * 3);
  }

  int64_t below(int64_t key) const {
    const int64_t slot = key & mask;
    uint64_t bits = words_[slot >> 6] & ((1ULL << (slot & 63)) - 1);
    int64_t word = slot >> 6;
    if (bits == 0) {
      uint64_t near = groups_[word >> 6] & ((1ULL << (word & 63)) - 1);
      int64_t group = word >> 6;
      for (int64_t step = 1; near == 0; step++) {
        group = ((word >> 6) - step) & 15;
        near = groups_[group];
      }
      word = group * 64 + 63 - __builtin_clzll(near);
      bits = words_[word];
    }
    const int64_t found = word * 64 + 63 - __builtin_clzll(bits);
    return key - ((slot - found) & mask);
  }

  void move(int64_t low) {
    for (int64_t key = low_; key < std::min(low, low_ + width); key++) {
      const int64_t slot = key & mask;
      if (lots_[slot] == 0) continue;
      far_[key] = lots_[slot];
      lots_[slot] = 0;
      unmark(slot);
      near_ -= 1;
    }
    low_ = low;
    while (!far_.empty() && far_.rbegin()->first >= low) {
      const auto last = std::prev(far_.end());
      lots_[last->first & mask] = last->second;
      mark(last->first & mask);
      near_ += 1;
      far_.erase(last);
    }
    if (near_ > 0) best_ = below(low_ + width);
  }
};

struct Order {
  bool live = false;
  int32_t number = 0;
  int64_t key = 0, left = 0, front = 0;
};

/** On its way to the venue: a new order (`lots` > 0) or a cancel. */
struct Command {
  int64_t time;
  int32_t side, number;
  int64_t key, lots;
};

enum class News : uint8_t { resting, expired, filled, partly, canceled, refused };

struct Report {
  int64_t time;
  int32_t side, number;
  News news;
};

/** Two lanes of 32 bits over every number that the market told. */
class MarketHash {
 public:
  void begin(int64_t sequence, int64_t exchange, int64_t receive, uint32_t kind) {
    mix(word(sequence));
    mix(word(exchange));
    mix(word(receive));
    mix(kind * spreadC);
  }

  /** Each lane takes every other level, and then they meet. */
  void levels(const Columns& c, uint32_t from, uint32_t to, int64_t sequence) {
    mix(word(sequence));
    mix((to - from) * 3);
    uint32_t x = a, y = b, i = from;
    for (; i + 1 < to; i += 2) {
      x = rotate((x ^ static_cast<uint32_t>(c.levelPrice[i]) ^ (uint32_t{c.levelSide[i]} << 30)) * spreadA, 13) ^
          static_cast<uint32_t>(c.levelLots[i]);
      y = rotate((y ^ static_cast<uint32_t>(c.levelPrice[i + 1]) ^ (uint32_t{c.levelSide[i + 1]} << 30)) * spreadB, 17) ^
          static_cast<uint32_t>(c.levelLots[i + 1]);
    }
    if (i < to)
      x = rotate((x ^ static_cast<uint32_t>(c.levelPrice[i]) ^ (uint32_t{c.levelSide[i]} << 30)) * spreadA, 13) ^
          static_cast<uint32_t>(c.levelLots[i]);
    a = (x ^ rotate(y, 16)) * spreadA;
    b = y * spreadB + a;
  }

  void trade(const Columns& c, uint32_t t, int64_t time) {
    mix(word(t));
    mix(static_cast<uint32_t>(c.tradePrice[t]));
    mix(static_cast<uint32_t>(c.tradeLots[t]));
    mix(c.tradeSide[t] == 0 ? 1 : 2);
    mix(word(time));
  }

  uint64_t value() const { return uint64_t{a} << 32 | b; }

 private:
  static constexpr uint32_t spreadA = 0x85ebca6b, spreadB = 0xc2b2ae35, spreadC = 0x9e3779b1;
  uint32_t a = 0x243f6a88, b = 0x0588d313;

  static uint32_t rotate(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }
  static uint32_t word(int64_t x) { return static_cast<uint32_t>(x) ^ static_cast<uint32_t>(x >> 32) * spreadC; }

  void mix(uint32_t x) {
    a = rotate((a ^ x) * spreadA, 13);
    b = rotate((b ^ x) * spreadB, 17) + a;
  }
};

enum class Seen : uint8_t { none, pending, resting };

/** A side as the strategy knows it. */
struct Desk {
  Seen seen = Seen::none;
  bool canceling = false;
  int32_t number = 0;
  int64_t key = 0, quietUntil = 0;
};

struct Fact {
  int64_t time;
  uint32_t message;
};

class Run {
 public:
  int64_t orders = 0, fills = 0, cancels = 0, position = 0;
  Amount cash = 0, fees = 0;

  Run(const Columns& columns, bool digest)
      : c(columns), rate(static_cast<int64_t>(columns.makeRate * 1e6 + 0.5)), withDigest(digest) {}

  uint64_t digest() const { return hash.value(); }

  void go() {
    for (uint32_t i = 0; i < c.messages; i++) {
      if (c.exchange[i] > now) advance(c.exchange[i]);
      if (c.kind[i] == static_cast<uint8_t>(Kind::trades)) {
        for (uint32_t t = c.from[i]; t < c.to[i]; t++) trade(t);
      } else {
        if (c.kind[i] == static_cast<uint8_t>(Kind::snapshot)) clear(venue);
        for (uint32_t l = c.from[i]; l < c.to[i]; l++) level(c.levelSide[l], c.levelPrice[l], c.levelLots[l]);
      }
      const int64_t due = std::max({now, c.exchange[i], c.receive[i]});
      auto at = facts.end();
      while (at != facts.begin() && std::prev(at)->time > due) --at;
      facts.insert(at, {due, i});
      advance(now);
    }
    advance(now + 5'000'000);
  }

 private:
  const Columns& c;
  int64_t rate, now = 0, told = 0;
  bool withDigest;
  MarketHash hash;
  Ladder venue[2], local[2];
  Order resting[2];
  std::unordered_map<int64_t, int64_t> met[2];
  std::deque<Fact> facts;
  std::deque<Command> commands;
  std::deque<Report> reports;
  Desk desks[2];
  int32_t numbers = 0;

  static void clear(Ladder (&book)[2]) {
    book[0].clear();
    book[1].clear();
  }

  /** Whatever is due up to `time` happens at its own time. */
  void advance(int64_t time) {
    for (;;) {
      const int64_t fact = facts.empty() ? INT64_MAX : facts.front().time;
      const int64_t command = commands.empty() ? INT64_MAX : commands.front().time;
      const int64_t report = reports.empty() ? INT64_MAX : reports.front().time;
      const int64_t next = std::min({fact, command, report});
      if (next > time) break;
      now = std::max(now, next);
      if (command == next) {
        const Command one = commands.front();
        commands.pop_front();
        execute(one);
      } else if (report == next) {
        const Report one = reports.front();
        reports.pop_front();
        hear(one);
      } else {
        const uint32_t message = facts.front().message;
        facts.pop_front();
        tell(message);
      }
    }
    now = std::max(now, time);
  }

  void level(int32_t side, int64_t price, int64_t lots) {
    const int64_t key = side == 0 ? price : -price;
    Order& other = resting[1 - side];
    if (other.live && key + other.key >= 0) {
      int64_t& had = met[side][key];
      const int64_t fresh = std::min(lots - had, other.left);
      had = lots;
      if (fresh > 0) fill(1 - side, fresh);
      if (other.live) return;
    }
    venue[side].set(key, lots);
    Order& own = resting[side];
    if (own.live && own.key == key && own.front > lots) own.front = lots;
  }

  /** A taker of the recording meets what rests on the other side. */
  void trade(uint32_t t) {
    const int32_t side = c.tradeSide[t] == 0 ? 1 : 0;
    const int64_t price = c.tradePrice[t], key = side == 0 ? price : -price;
    int64_t left = c.tradeLots[t];
    Order& own = resting[side];
    if (own.live && own.key > key) left -= fill(side, std::min(left, own.left));
    if (left > 0 && own.live && own.key == key) {
      own.front -= left;
      if (own.front < 0) {
        fill(side, std::min(-own.front, own.left));
        own.front = 0;
      }
    }
    const int64_t standing = venue[side].at(key);
    if (left > 0 && standing > 0) venue[side].set(key, std::max<int64_t>(0, standing - left));
  }

  int64_t fill(int32_t side, int64_t lots) {
    Order& own = resting[side];
    const int64_t price = side == 0 ? own.key : -own.key;
    const Amount notional = static_cast<Amount>(price) * lots * 1'000'000;
    cash += side == 0 ? -notional : notional;
    fees += static_cast<Amount>(price) * lots * rate;
    position += side == 0 ? lots : -lots;
    own.left -= lots;
    fills += 1;
    report(side, own.number, own.left == 0 ? News::filled : News::partly);
    if (own.left == 0) gone(side);
    return lots;
  }

  void gone(int32_t side) {
    resting[side].live = false;
    met[1 - side].clear();
  }

  void report(int32_t side, int32_t number, News news) { reports.push_back({now + reportMicros, side, number, news}); }

  void execute(const Command& command) {
    Order& own = resting[command.side];
    if (command.lots == 0) {
      const bool lives = own.live && own.number == command.number;
      if (lives) gone(command.side);
      report(command.side, command.number, lives ? News::canceled : News::refused);
      return;
    }
    const Ladder& other = venue[1 - command.side];
    if (!other.empty() && command.key + other.best() >= 0) {
      report(command.side, command.number, News::expired);
      return;
    }
    own = {true, command.number, command.key, command.lots, venue[command.side].at(command.key)};
    report(command.side, command.number, News::resting);
  }

  void hear(const Report& report) {
    Desk& desk = desks[report.side];
    if (desk.number != report.number) return;
    if (report.news == News::resting) desk.seen = Seen::resting;
    else if (report.news == News::refused) desk.canceling = false;
    else if (report.news != News::partly) desk.seen = Seen::none;
  }

  void tell(uint32_t i) {
    told += 1;
    if (withDigest) {
      hash.begin(told, c.exchange[i], c.receive[i], c.kind[i]);
      if (c.kind[i] != static_cast<uint8_t>(Kind::trades)) hash.levels(c, c.from[i], c.to[i], told);
      else for (uint32_t t = c.from[i]; t < c.to[i]; t++) hash.trade(c, t, c.exchange[i]);
    }
    if (c.kind[i] == static_cast<uint8_t>(Kind::trades)) return;
    if (c.kind[i] == static_cast<uint8_t>(Kind::snapshot)) clear(local);
    for (uint32_t l = c.from[i]; l < c.to[i]; l++) {
      const int64_t price = c.levelPrice[l];
      local[c.levelSide[l]].set(c.levelSide[l] == 0 ? price : -price, c.levelLots[l]);
    }
    if (local[0].empty() || local[1].empty() || local[0].best() + local[1].best() >= 0) return;
    steer(0, local[0].best() - away);
    steer(1, local[1].best() - away);
  }

  void steer(int32_t side, int64_t key) {
    Desk& desk = desks[side];
    if (desk.seen == Seen::pending) return;
    if (desk.seen == Seen::none) {
      if (now < desk.quietUntil) return;
      desk = {Seen::pending, false, ++numbers, key, now + pauseMicros};
      commands.push_back({now + entryMicros, side, desk.number, key, orderLots});
      orders += 1;
    } else if (std::abs(desk.key - key) > driftMax && !desk.canceling) {
      desk.canceling = true;
      commands.push_back({now + entryMicros, side, desk.number, 0, 0});
      cancels += 1;
    }
  }
};

double cpuMicros() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

}  // namespace

int main(int count, char** paths) {
  std::vector<Columns> files;
  const bool digest = count > 1 && std::strcmp(paths[1], "--digest") == 0;
  for (int i = digest ? 2 : 1; i < count; i++) files.push_back(readColumns(paths[i]));
  std::vector<double> times;
  double total = 0, changes = 0;
  int64_t orders = 0, fills = 0, cancels = 0, fees = 0;
  uint64_t lanes = 0;
  while (times.size() < 7 || total < 2e6) {
    changes = orders = fills = cancels = fees = 0;
    lanes = 0;
    const double start = cpuMicros();
    for (const Columns& columns : files) {
      Run run(columns, digest);
      run.go();
      changes += columns.levels + columns.trades;
      orders += run.orders;
      fills += run.fills;
      cancels += run.cancels;
      fees += static_cast<int64_t>(run.fees / 1'000'000);
      lanes ^= run.digest();
    }
    times.push_back(cpuMicros() - start);
    total += times.back();
  }
  std::sort(times.begin(), times.end());
  std::printf("{\"value\":%.4f,\"levelChanges\":%.0f,\"orders\":%lld,\"fills\":%lld,\"cancels\":%lld,\"digest\":\"%016llx\"}\n",
              changes / times[times.size() / 2], changes, static_cast<long long>(orders),
              static_cast<long long>(fills), static_cast<long long>(cancels),
              static_cast<unsigned long long>(lanes));
  return fees == 1 ? 1 : 0;
}
