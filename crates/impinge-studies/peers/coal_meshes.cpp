// Two triangle meshes in many poses by coal's hierarchies: coal_meshes CASE ANSWERS
// CASE: twice { u64 points, u64 triangles, points × 3 f64, triangles × 3 u64 }; u64 poses, poses × 12 f64 (rotation by
// rows, then position) of the second mesh.
// ANSWERS: poses × 3 f64: 1 where they touch, pairs of triangles that touch, distance.
// Prints the seconds of the three questions over all poses, oriented boxes for the first two and OBBRSS for the last.
#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

using coal::Vec3s;

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

struct Mesh {
  std::vector<Vec3s> points;
  std::vector<coal::Triangle> triangles;
};

static Mesh read_mesh(std::ifstream& in) {
  Mesh mesh;
  const auto points = read<uint64_t>(in), triangles = read<uint64_t>(in);
  for (uint64_t i = 0; i < points; ++i) mesh.points.push_back(read_point(in));
  for (uint64_t i = 0; i < triangles; ++i) {
    const auto a = read<uint64_t>(in), b = read<uint64_t>(in), c = read<uint64_t>(in);
    mesh.triangles.push_back(coal::Triangle(a, b, c));
  }
  return mesh;
}

template <typename Volume>
static std::shared_ptr<coal::BVHModel<Volume>> model(const Mesh& mesh) {
  auto made = std::make_shared<coal::BVHModel<Volume>>();
  made->beginModel();
  made->addSubModel(mesh.points, mesh.triangles);
  made->endModel();
  return made;
}

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int main(int, char** arguments) {
  std::ifstream in(arguments[1], std::ios::binary);
  const Mesh a = read_mesh(in), b = read_mesh(in);
  std::vector<coal::Transform3s> poses(read<uint64_t>(in));
  for (auto& pose : poses) {
    coal::Matrix3s rotation;
    for (int i = 0; i < 9; ++i) rotation(i / 3, i % 3) = read<double>(in);
    pose = coal::Transform3s(rotation, read_point(in));
  }
  const auto box_a = model<coal::OBB>(a), box_b = model<coal::OBB>(b);
  const auto rss_a = model<coal::OBBRSS>(a), rss_b = model<coal::OBBRSS>(b);
  const coal::Transform3s rest;
  std::vector<double> answers(3 * poses.size());
  double best[3] = {1e300, 1e300, 1e300};
  for (int pass = 0; pass < 3; ++pass) {
    for (int question = 0; question < 3; ++question) {
      const double start = now();
      for (size_t i = 0; i < poses.size(); ++i) {
        if (question == 2) {
          coal::DistanceRequest request;
          coal::DistanceResult result;
          answers[3 * i + 2] = coal::distance(rss_a.get(), rest, rss_b.get(), poses[i], request, result);
        } else {
          coal::CollisionRequest request(coal::CONTACT, question == 0 ? 1 : 1000000);
          coal::CollisionResult result;
          coal::collide(box_a.get(), rest, box_b.get(), poses[i], request, result);
          answers[3 * i + question] = double(result.numContacts());
        }
      }
      best[question] = std::min(best[question], now() - start);
    }
  }
  std::ofstream(arguments[2], std::ios::binary)
      .write(reinterpret_cast<const char*>(answers.data()), answers.size() * sizeof(double));
  std::printf("%.9g %.9g %.9g\n", best[0], best[1], best[2]);
}
