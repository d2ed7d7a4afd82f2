// Distances of one pair of convex bodies in many poses by coal: coal_distance CASE ANSWERS
// CASE: u64 kept (1: each query may use the guess of the last, 0: it may not); twice { u64 points, u64 triangles,
// points × 3 f64, triangles × 3 u64 }; u64 poses, poses × 12 f64 (rotation by rows, then position) of the second body.
// ANSWERS: poses × f64, negative where the bodies overlap. Prints the seconds of the quickest setting.
#include <coal/distance.h>
#include <coal/shape/convex.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <vector>

using coal::Triangle;
using coal::Vec3s;
using Body = coal::Convex<Triangle>;

template <typename T>
static T read(std::ifstream& in) {
  T value;
  in.read(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}

static Vec3s read_point(std::ifstream& in) {
  const double x = read<double>(in), y = read<double>(in), z = read<double>(in);
  return Vec3s(x, y, z);
}

static Body read_body(std::ifstream& in) {
  const auto points = read<uint64_t>(in), triangles = read<uint64_t>(in);
  auto corners = std::make_shared<std::vector<Vec3s>>();
  auto sides = std::make_shared<std::vector<Triangle>>();
  for (uint64_t i = 0; i < points; ++i) corners->push_back(read_point(in));
  for (uint64_t i = 0; i < triangles; ++i) {
    const auto a = read<uint64_t>(in), b = read<uint64_t>(in), c = read<uint64_t>(in);
    sides->push_back(Triangle(a, b, c));
  }
  return Body(corners, points, sides, triangles);
}

static double run(const Body& a, const Body& b, const std::vector<coal::Transform3s>& poses, bool kept,
                  coal::GJKVariant variant, coal::GJKInitialGuess guess, std::vector<double>& answers) {
  coal::DistanceRequest request;
  request.enable_signed_distance = true;
  request.gjk_variant = variant;
  request.gjk_initial_guess = guess;
  coal::ComputeDistance distance(&a, &b);
  const coal::Transform3s rest;
  const coal::DistanceRequest cold = request;
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < poses.size(); ++i) {
    coal::DistanceResult result;
    distance(rest, poses[i], request, result);
    if (kept) request.updateGuess(result);
    else request = cold;
    answers[i] = result.min_distance;
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int main(int, char** arguments) {
  std::ifstream in(arguments[1], std::ios::binary);
  const bool kept = read<uint64_t>(in) != 0;
  const Body a = read_body(in), b = read_body(in);
  std::vector<coal::Transform3s> poses(read<uint64_t>(in));
  for (auto& pose : poses) {
    coal::Matrix3s rotation;
    for (int i = 0; i < 9; ++i) rotation(i / 3, i % 3) = read<double>(in);
    pose = coal::Transform3s(rotation, read_point(in));
  }
  std::vector<double> answers(poses.size()), best_answers;
  double best = 1e300;
  for (auto variant : {coal::DefaultGJK, coal::PolyakAcceleration, coal::NesterovAcceleration})
    for (auto guess : {coal::DefaultGuess, coal::CachedGuess})
      for (int pass = 0; pass < 2; ++pass) {
        if (guess == coal::CachedGuess && !kept) continue;
        const double seconds = run(a, b, poses, kept, variant, guess, answers);
        if (seconds < best) {
          best = seconds;
          best_answers = answers;
        }
      }
  std::ofstream(arguments[2], std::ios::binary)
      .write(reinterpret_cast<const char*>(best_answers.data()), best_answers.size() * sizeof(double));
  std::printf("%.9g\n", best);
}
