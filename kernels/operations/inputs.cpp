// SPDX-License-Identifier: MIT
#include "inputs.h"

#include "sha256.h"

#include <numeric>

namespace stagecraft::operations {

namespace {

// Which random sequence a buffer takes. The numbers are part of the format: changing one changes the golden hashes.
enum class Stream : std::uint64_t
{
    A = 1,
    B = 2,
    C = 3,
    Destinations = 4,
    Indices = 5
};

constexpr std::uint64_t goldenGamma = 0x9E3779B97F4A7C15;

// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
constexpr std::uint64_t mix(std::uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

// Word `counter` of a stream: a function of its arguments alone, so that any part can be made anywhere, in any order.
class Words
{
public:
    Words(std::uint64_t seed, Stream stream) : m_key(mix(mix(seed + goldenGamma) + static_cast<std::uint64_t>(stream)))
    {
    }

    std::uint64_t at(std::uint64_t counter) const { return mix(m_key + (counter + 1) * goldenGamma); }

private:
    std::uint64_t m_key;
};

constexpr std::int32_t fieldSum(std::uint64_t word)
{
    return static_cast<std::int32_t>((word & 0xFFFF) + ((word >> 16) & 0xFFFF) + ((word >> 32) & 0xFFFF) +
                                     (word >> 48));
}

// Irwin-Hall: the sum of eight uniform 16-bit integers is near normal, with mean 262140 and variance
// 8·(2³² − 1)/12, so that one exact integer and one correctly rounded product give the same float everywhere.
// The factor is inputSigma / √(8·(2³² − 1)/12).
std::vector<float> nearNormal(std::int64_t elements, std::uint64_t seed, Stream stream)
{
    constexpr std::int32_t mean = 8 * 0xFFFF / 2;
    constexpr float factor = 0x1.3988e2p-18F;
    const Words words(seed, stream);
    std::vector<float> values(static_cast<std::size_t>(elements));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto sum = fieldSum(words.at(2 * i)) + fieldSum(words.at(2 * i + 1));
        values[i] = static_cast<float>(sum - mean) * factor;
    }
    return values;
}

std::uint32_t below(std::uint64_t word, std::int64_t bound)
{
    return static_cast<std::uint32_t>(((word >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
}

// Every edge draws its destination; how many a node gets is then near Poisson, as in a random graph, and the
// destinations in order are the rows of the CSR.
std::vector<std::uint32_t> rowPointers(std::int64_t nodes, std::int64_t edges, std::uint64_t seed)
{
    const Words words(seed, Stream::Destinations);
    std::vector<std::uint32_t> rowptr(static_cast<std::size_t>(nodes) + 1);
    for (std::uint64_t edge = 0; edge < static_cast<std::uint64_t>(edges); ++edge)
        ++rowptr[below(words.at(edge), nodes) + 1];
    std::partial_sum(rowptr.begin(), rowptr.end(), rowptr.begin());
    return rowptr;
}

std::vector<std::uint32_t> sourceIndices(std::int64_t nodes, std::int64_t edges, std::uint64_t seed)
{
    const Words words(seed, Stream::Indices);
    std::vector<std::uint32_t> indices(static_cast<std::size_t>(edges));
    for (std::size_t edge = 0; edge < indices.size(); ++edge)
        indices[edge] = below(words.at(edge), nodes);
    return indices;
}

} // namespace

std::span<const std::byte> InputSet::bytes(std::string_view bufferName) const
{
    if (bufferName == "a")
        return std::as_bytes(std::span(a));
    if (bufferName == "b")
        return std::as_bytes(std::span(b));
    if (bufferName == "c")
        return std::as_bytes(std::span(c));
    if (bufferName == "rowptr")
        return std::as_bytes(std::span(rowptr));
    if (bufferName == "indices")
        return std::as_bytes(std::span(indices));
    throw std::invalid_argument("no input buffer is named \"" + std::string(bufferName) + "\"");
}

InputSet generateInputs(const Operation &operation, const Dims &dims, std::uint64_t seed)
{
    InputSet inputs{operation.id, dims, seed, {}, {}, {}, {}, {}};
    for (const auto &buffer : inputBuffers(operation, dims)) {
        if (buffer.name == "a")
            inputs.a = nearNormal(buffer.elements, seed, Stream::A);
        else if (buffer.name == "b")
            inputs.b = nearNormal(buffer.elements, seed, Stream::B);
        else if (buffer.name == "c")
            inputs.c = nearNormal(buffer.elements, seed, Stream::C);
        else if (buffer.name == "rowptr")
            inputs.rowptr = rowPointers(dims[0], dims[2], seed);
        else
            inputs.indices = sourceIndices(dims[0], dims[2], seed);
    }
    return inputs;
}

std::map<std::string, std::string> hashes(const InputSet &inputs)
{
    std::map<std::string, std::string> result;
    for (const auto &buffer : inputBuffers(*findOperation(inputs.operation), inputs.dims))
        result[buffer.fileName()] = sha256(inputs.bytes(buffer.name));
    return result;
}

} // namespace stagecraft::operations
