// Nearest points on a mesh by CGAL: AABB_tree::closest_point, f64.
// usage: cgal_nearest MESH POINTS ANSWERS
//   MESH     u64 vertices, u64 triangles, vertices × 3 f64, triangles × 3 u32
//   POINTS   u64 points, points × 3 f64
//   ANSWERS  the distance of each point as f64
// Prints the CPU seconds of the set-up and of the queries.
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <vector>

typedef CGAL::Simple_cartesian<double> Kernel;
typedef std::vector<Kernel::Triangle_3> Triangles;
typedef CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator> Primitive;
typedef CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>> Tree;

template <class T> std::vector<T> take(std::ifstream& in, std::size_t count) {
  std::vector<T> values(count);
  in.read(reinterpret_cast<char*>(values.data()), count * sizeof(T));
  return values;
}

double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

int main(int, char** argument) {
  std::ifstream mesh_file(argument[1], std::ios::binary), point_file(argument[2], std::ios::binary);
  const auto counts = take<std::uint64_t>(mesh_file, 2);
  const auto v = take<double>(mesh_file, 3 * counts[0]);
  const auto t = take<std::uint32_t>(mesh_file, 3 * counts[1]);
  const auto points = take<double>(point_file, 3 * take<std::uint64_t>(point_file, 1)[0]);
  const auto corner = [&](std::uint32_t i) { return Kernel::Point_3(v[3 * i], v[3 * i + 1], v[3 * i + 2]); };
  Triangles triangles;
  for (std::size_t i = 0; i < t.size(); i += 3) triangles.emplace_back(corner(t[i]), corner(t[i + 1]), corner(t[i + 2]));

  const double start = seconds();
  Tree tree(triangles.begin(), triangles.end());
  tree.accelerate_distance_queries();
  const double ready = seconds();
  std::vector<double> answers;
  for (std::size_t i = 0; i < points.size(); i += 3)
    answers.push_back(std::sqrt(tree.squared_distance(Kernel::Point_3(points[i], points[i + 1], points[i + 2]))));
  const double done = seconds();
  std::ofstream(argument[3], std::ios::binary)
      .write(reinterpret_cast<const char*>(answers.data()), answers.size() * sizeof(double));
  std::printf("%.6f %.6f\n", ready - start, done - ready);
}
