#include "exchange.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace cl::mpi {
namespace {

constexpr size_t kNotice = sizeof(uint64_t);

/// Bytes that a message takes in the block.
size_t roomOf(const Piece& piece) {
  const size_t bytes = piece.bytes + Exchange::kTrailer + (piece.isSend ? 0 : 1);
  return (bytes + 63) / 64 * 64;
}

}  // namespace

Exchange::Exchange(mpi_handle comm, const std::vector<Piece>& pieces, bool shares) {
  sent_.resize(pieces.size());
  received_.resize(pieces.size());
  // The token, the lines, the messages that are sent, and those that are received.
  size_t lines = 0;
  size_t half = 0;
  size_t arriving = 0;
  for (const Piece& piece : pieces) {
    if (piece.bytes == 0) continue;
    (piece.isSend ? half : arriving) += roomOf(piece);
    if (piece.isSend) lines += sizeof(Line);
  }
  const size_t firstSent = MemoryBlock::kHeader + lines;
  const size_t stride = shares ? half : 0;
  own_ = std::make_unique<MemoryBlock>(firstSent + half + stride + arriving, stride > 0);
  size_t line = MemoryBlock::kHeader;
  size_t sentAt = firstSent;
  size_t receivedAt = firstSent + half + stride;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (piece.bytes == 0) continue;
    if (!piece.isSend) {
      received_[i] = std::make_unique<Received>(piece, receivedAt);
      received_[i]->request = mpi().no_request;
      receivedAt += roomOf(piece);
      continue;
    }
    const mpi_handle none = mpi().no_request;
    const Spot spot{line, sentAt, stride};
    sent_[i].reset(new Sent{piece, spot, new (own_->data() + line) Line(), {none, none}, none});
    for (const uint64_t turn : {0, 1}) {
      const Trailer trailer{own_->address(), spot};
      std::memcpy(placeOf(*own_, spot, turn) + piece.bytes, &trailer, sizeof trailer);
    }
    line += sizeof(Line);
    sentAt += roomOf(piece);
  }
  try {
    createRequests(comm);
  } catch (...) {
    release();
    throw;
  }
}

void Exchange::createRequests(mpi_handle comm) {
  const mpi_table& table = mpi();
  const auto bytesOf = [](const Piece& piece) { return static_cast<int>(piece.bytes + kTrailer); };
  for (const auto& received : received_) {
    if (received == nullptr) continue;
    const Piece& piece = received->piece;
    // One byte more than the message has, which shows if a longer one arrives: Open MPI does not report that of
    // persistent requests.
    check(table.recv_init(own_->data() + received->offset, bytesOf(piece) + 1, piece.peer, piece.tag, comm,
                          &received->request),
          "MPI_Recv_init");
  }
  for (const auto& sent : sent_) {
    if (sent == nullptr) continue;
    const Piece& piece = sent->piece;
    for (const int half : {0, 1}) {
      check(table.send_init(placeOf(*own_, sent->spot, static_cast<uint64_t>(half)), bytesOf(piece), piece.peer,
                            piece.tag, comm, &sent->requests[half]),
            "MPI_Send_init");
    }
    check(table.send_init(&turn, kNotice, piece.peer, piece.tag, comm, &sent->notice), "MPI_Send_init");
  }
}

std::string Exchange::release() {
  std::string failure;
  const auto release = [&](mpi_handle& request) {
    if (request == mpi().no_request) return;
    const int error = mpi().request_free(&request);
    if (error != 0) failure = "MPI_Request_free: " + textOf(error);
  };
  for (const auto& sent : sent_) {
    if (sent == nullptr) continue;
    release(sent->requests[0]);
    release(sent->requests[1]);
    release(sent->notice);
  }
  for (const auto& received : received_)
    if (received != nullptr) release(received->request);
  sent_.clear();
  received_.clear();
  return failure;
}

void Exchange::place(uint32_t message, uint64_t turn, cl_relay_place& place) {
  const MemoryBlock* block = own_.get();
  if (message < sent_.size() && sent_[message] != nullptr) {
    place.data = placeOf(*block, sent_[message]->spot, turn);
    place.bytes = sent_[message]->piece.bytes;
  } else if (message < received_.size() && received_[message] != nullptr) {
    Received& received = *received_[message];
    place.data = block->data() + received.offset;
    place.bytes = received.piece.bytes;
    if (received.isDirect) {
      if (received.firstDirect == UINT64_MAX) received.firstDirect = turn;
      block = received.block;
      place.data = placeOf(*block, received.spot, turn);
    }
  }
  place.block = block->data();
  place.block_bytes = block->bytes();
}

int Exchange::begin() {
  routine_ = "MPI_Start";
  // Receives first, so that they are there when messages arrive.
  for (const auto& received : received_) {
    if (received == nullptr) continue;
    if (received->line != nullptr) received->line->begun = turn + 1;
    const int error = mpi().start(&received->request);
    if (error != 0) return error;
    received->isDone = false;
  }
  for (const auto& sent : sent_) {
    if (sent == nullptr) continue;
    sent->sendsNotices = sent->sendsNotices || sent->line->isOpen != 0;
    const int error = mpi().start(sent->sendsNotices ? &sent->notice : &sent->requests[turn % 2]);
    if (error != 0) return error;
    sent->isSent = false;
    sent->isDone = false;
  }
  return 0;
}

int Exchange::poll(bool& done) {
  routine_ = "MPI_Test";
  done = true;
  for (const auto& sent : sent_) {
    if (sent == nullptr || sent->isDone) continue;
    const int error = pollSent(*sent);
    if (error != 0) return error;
    done = done && sent->isDone;
  }
  for (const auto& received : received_) {
    if (received == nullptr || received->isDone) continue;
    const int error = pollReceived(*received);
    if (error != 0) return error;
    done = done && received->isDone;
  }
  return 0;
}

int Exchange::pollSent(Sent& sent) {
  if (!sent.isSent) {
    int flag = 0;
    mpi_arrival arrival{};
    const int error = mpi().test(sent.sendsNotices ? &sent.notice : &sent.requests[turn % 2], &flag, &arrival);
    if (error != 0) return error;
    sent.isSent = flag != 0;
  }
  sent.isDone = sent.isSent && (!sent.sendsNotices || sent.line->begun > turn);
  return 0;
}

int Exchange::pollReceived(Received& received) {
  int flag = 0;
  mpi_arrival arrival{};
  const int error = mpi().test(&received.request, &flag, &arrival);
  if (error != 0 || flag == 0) return error;
  received.isDone = true;
  const std::string failure = accept(received, arrival.bytes);
  if (!failure.empty()) outcome_.failure = failure;
  return 0;
}

std::string Exchange::accept(Received& received, int64_t bytes) {
  const Piece& piece = received.piece;
  uint8_t* const message = own_->data() + received.offset;
  const std::string rank = "rank " + std::to_string(piece.peer);
  if (bytes == static_cast<int64_t>(piece.bytes + kTrailer)) {
    open(received);
    return {};
  }
  if (bytes != static_cast<int64_t>(kNotice) || received.line == nullptr) {
    return rank + " sent " + std::to_string(std::max<int64_t>(bytes - int64_t{kTrailer}, 0)) + " bytes, expected " +
           std::to_string(piece.bytes);
  }
  uint64_t notice = 0;
  std::memcpy(&notice, message, sizeof notice);
  if (notice != turn) {
    return rank + " is in turn " + std::to_string(notice + 1) + ", this rank in turn " + std::to_string(turn + 1) +
           ": a turn has failed";
  }
  if (turn < received.firstDirect) std::memcpy(message, placeOf(*received.block, received.spot, turn), piece.bytes);
  received.isDirect = true;
  return {};
}

void Exchange::open(Received& received) {
  if (std::exchange(received.isTried, true)) return;
  const size_t bytes = received.piece.bytes;
  Trailer trailer{};
  std::memcpy(&trailer, own_->data() + received.offset + bytes, sizeof trailer);
  const auto& [address, spot] = trailer;
  const auto fits = [&](uint64_t offset, uint64_t size) {
    return offset <= address.bytes && size <= address.bytes - offset;
  };
  if (!fits(spot.line, sizeof(Line)) || !fits(spot.offset, bytes) || !fits(spot.offset + spot.stride, bytes)) return;
  for (const auto& block : opened_)
    if (block->address().token == address.token) received.block = block.get();
  if (received.block == nullptr) {
    auto block = MemoryBlock::open(address);
    if (block == nullptr) return;
    received.block = block.get();
    opened_.push_back(std::move(block));
  }
  received.spot = spot;
  received.line = reinterpret_cast<Line*>(received.block->data() + spot.line);
  received.line->begun = turn + 1;
  received.line->isOpen = 1;
}

std::string Exchange::describe() const {
  const auto text = [](const Piece& piece) {
    return std::string(piece.isSend ? "send" : "receive") + " of " + std::to_string(piece.bytes) + " bytes " +
           (piece.isSend ? "to" : "from") + " rank " + std::to_string(piece.peer);
  };
  // The other rank is late in both cases, but a message that has not arrived tells more.
  for (const auto& received : received_)
    if (received != nullptr && !received->isDone) return text(received->piece);
  for (const auto& sent : sent_)
    if (sent != nullptr && !sent->isDone) return text(sent->piece);
  return "exchange";
}

}  // namespace cl::mpi
